// Runs telegram-test-api, and adds in front of it what a bot needs and it lacks. Knows nothing of the bot that plays.
//
// It listens at a free port of 127.0.0.1, prints that, and ends when its standard input is closed. Besides the Bot API
// and the package's own /sendMessage, /sendCommand, /sendCallback and /getUpdatesHistory there are
//   POST /fault   {method, status, description, parameters}: the next such request is refused so;
//   GET  /calls?after=N   all requests so far as {method, body, status}, as soon as more than N came or were answered,
//   both counted, or after 10 s; status is 0 for those that were not answered.
'use strict';

const { EventEmitter } = require('events');
const express = require('express');
const { TelegramServer } = require('telegram-test-api/lib/telegramServer');

const LONGEST_WAIT = 10000;
const KEPT = 600;
const BOT = {
  id: 666, is_bot: true, first_name: 'Quizbot', username: 'TestNameBot',
  can_join_groups: true, can_read_all_group_messages: false, supports_inline_queries: true,
};

const changes = new EventEmitter().setMaxListeners(0);
const calls = [];
const faults = new Map();
let answered = 0;
let presses = 0;

// Resolves when `look` holds; it is looked at after every change, for `patience` ms at most.
function until(look, patience) {
  return new Promise((resolve) => {
    const end = () => { clearTimeout(timer); changes.off('change', again); resolve(); };
    const again = () => { if (look()) end(); };
    const timer = setTimeout(end, patience);
    changes.on('change', again);
    again();
  });
}

// A message as the Bot API tells of it. The package says milliseconds, and that every chat is private.
function told(kept) {
  const { chat_id: chat, text, reply_markup: markup } = kept.message;
  const id = Number(chat);
  const place = id < 0 ? { id, type: 'supergroup', title: 'Group' } : { id, type: 'private', first_name: 'Person' };
  const message = { message_id: kept.messageId, date: Math.floor(kept.time / 1000), from: BOT, chat: place, text };
  return markup ? { ...message, reply_markup: markup } : message;
}

class Server extends TelegramServer {
  addBotMessage(raw, token) {
    super.addBotMessage(raw, token);
    return told(this.storage.botMessages[this.storage.botMessages.length - 1]);
  }

  // The package counts on only after an update was delivered, so that what happens at once would share a number.
  getCommonFields(token) {
    const fields = super.getCommonFields(token);
    this.updateId += 1;
    this.messageId += 1;
    return fields;
  }

  async addUserUpdate(update) {
    const numbered = 'callbackQuery' in update ? { ...update, callbackId: ++presses } : update;
    const webhook = this.webhooks[update.botToken];
    if (webhook) {
      // The package's own delivery does not show the secret.
      await fetch(webhook.url, {
        method: 'POST',
        body: JSON.stringify(TelegramServer.formatUpdate(numbered)),
        headers: { 'Content-Type': 'application/json', 'X-Telegram-Bot-Api-Secret-Token': webhook.secret_token || '' },
      });
    } else {
      this.storage.userMessages.push(numbered);
    }
    changes.emit('change');
  }

  kept(body) {
    return this.storage.botMessages.find((each) => String(each.messageId) === String(body.message_id)
      && String(each.message.chat_id) === String(body.chat_id));
  }
}

// Presses of a real bot's buttons say which chat they belong to.
const formatted = TelegramServer.formatUpdate;
TelegramServer.formatUpdate = (update) => {
  const said = formatted(update);
  if (said.callback_query) said.callback_query.chat_instance = String(said.callback_query.message.chat.id);
  return said;
};

function refuse(response, status, description, parameters) {
  response.status(status).json({ ok: false, error_code: status, description, parameters });
}

const server = new Server({ host: '127.0.0.1', storeTimeout: KEPT });
const front = express();
front.use(express.json(), express.urlencoded({ extended: true }));

front.get('/calls', async (request, response) => {
  await until(() => calls.length + answered > Number(request.query.after), LONGEST_WAIT);
  response.json(calls);
});

front.post('/fault', (request, response) => {
  const { method } = request.body;
  faults.set(method, [...(faults.get(method) || []), request.body]);
  response.json({});
});

front.all('/bot:token/:method', (request, response, next) => {
  const { method } = request.params;
  const call = { method, body: { ...request.body }, status: 0 };
  calls.push(call);
  changes.emit('change');
  response.on('finish', () => { call.status = response.statusCode; answered += 1; changes.emit('change'); });
  const fault = (faults.get(method) || []).shift();
  if (fault) refuse(response, fault.status, fault.description, fault.parameters);
  else next();
});

front.all('/bot:token/getMe', (request, response) => response.json({ ok: true, result: BOT }));

// Wait as long as was asked for; the package then answers what there is.
front.all('/bot:token/getUpdates', async (request, response, next) => {
  const patience = Math.min(1000 * Number(request.body.timeout || 0), LONGEST_WAIT);
  await until(() => server.storage.userMessages.some((update) => !update.isRead), patience);
  next();
});

// The package changes whatever there is and answers nothing.
front.all('/bot:token/editMessageText', (request, response) => {
  const kept = server.kept(request.body);
  if (!kept) return refuse(response, 400, 'Bad Request: message to edit not found');
  const before = JSON.stringify([kept.message.text, kept.message.reply_markup]);
  delete kept.message.reply_markup; // an edit without a keyboard takes it away
  server.editMessageText(request.body);
  if (JSON.stringify([kept.message.text, kept.message.reply_markup]) === before) {
    return refuse(response, 400, 'Bad Request: message is not modified: the new content is exactly the same');
  }
  return response.json({ ok: true, result: told(kept) });
});

front.use(server.webServer);
server.webServer = front;
server.config.port = 0;
server.start().then(() => console.log(server.server.address().port));
process.stdin.resume().on('end', () => process.exit());
