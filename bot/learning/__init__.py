"""What somebody knows and when to ask again: reviews by FSRS, a learner's days, and what to practise next.

Values and rules; reads no clock, no store. Times that count in days count in the learner's own, which begin at 04:00.
"""
