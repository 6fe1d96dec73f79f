"""The adapter against telegram-test-api, a Bot API server that others wrote: is only ours as we believe Telegram is?"""
