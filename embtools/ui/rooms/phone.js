// A phone in a room: joins once, asks every two seconds, shows the question, the buttons and the result.
// The token is kept in the browser, so that a locked or reloaded phone continues. Texts are only ever set as text.
'use strict';
const EVERY = 2000; // ms between two questions to the server
const part = (id) => document.getElementById(id);
const base = location.pathname.replace(/[^/]*$/, ''); // …/room/
const read = (text) => text.toUpperCase().replace(/[\s\-–]/g, '');
const stored = {
  get: (key) => { try { return localStorage.getItem(key); } catch { return memory[key] || null; } },
  set: (key, value) => { memory[key] = value; try { localStorage.setItem(key, value); } catch { /* private mode */ } },
  drop: (key) => { delete memory[key]; try { localStorage.removeItem(key); } catch { /* private mode */ } },
};
const memory = {};
let code = '', token = '', tag = '', shown = null, timer = 0, busy = false, sending = false, joining = false;

const say = (text) => { if (part('status').textContent !== text) part('status').textContent = text; };
const percent = (share) => (share > 0 && share < 0.005 ? 'under 1%' : `${Math.round(100 * share)}%`);

function element(name, text, kind) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

async function call(path, body) {
  const options = { headers: { 'x-room-token': token }, cache: 'no-store', credentials: 'omit' };
  if (body) Object.assign(options, { method: 'POST', body: JSON.stringify(body) });
  else if (tag) options.headers['if-none-match'] = tag;
  const answer = await fetch(`${base}api/${path}`, options);
  return { status: answer.status, tag: answer.headers.get('etag'), given: answer.status === 304 ? null : await answer.json() };
}

function askForCode(text) {
  clearTimeout(timer);
  code = token = tag = '';
  shown = null;
  part('room').textContent = '';
  part('title').textContent = 'Join a room';
  part('choices').replaceChildren();
  part('results').replaceChildren();
  part('answer').textContent = '';
  part('page').hidden = true;
  part('join').hidden = false;
  say(text);
}

async function join(typed) {
  if (joining) return;
  joining = true;
  clearTimeout(timer);
  try { await enter(typed); } finally { joining = false; }
}

async function enter(typed) {
  code = read(typed);
  token = stored.get(`room-${code}`) || '';
  if (!token) {
    let answer;
    try {
      answer = await call('join', { code });
    } catch {
      say('No connection. Trying again …');
      timer = setTimeout(() => join(typed), 2 * EVERY);
      return;
    }
    if (answer.status === 503 || answer.status === 429) {
      say(answer.given.error);
      timer = setTimeout(() => join(typed), 5 * EVERY);
      return;
    }
    if (answer.status !== 200) { askForCode(answer.given.error); return; }
    token = answer.given.token;
    stored.set(`room-${code}`, token);
  }
  part('join').hidden = true;
  part('room').textContent = `Room ${code.slice(0, 4)}-${code.slice(4)}`;
  if (!location.pathname.endsWith(code)) history.replaceState(null, '', base + code);
  ask();
}

async function ask() {
  clearTimeout(timer);
  if (busy || !token) return;
  busy = true;
  let wait = EVERY;
  try {
    const { status, given, tag: now } = await call(`${code}/state`);
    if (status === 200) { tag = now; show(given); }
    else if (status === 404) { stored.drop(`room-${code}`); busy = false; askForCode(given.error); return; }
    else if (status !== 304) { say(given.error); wait = 2 * EVERY; }
    else if (shown) say(told(shown));
  } catch {
    say('No connection. Trying again …');
    wait = 2 * EVERY;
  }
  busy = false;
  timer = setTimeout(ask, wait * (0.9 + 0.2 * Math.random())); // not all phones at the same moment
}

function told(seen) {
  if (!seen.number) return 'Your teacher has not asked a question yet.';
  if (!seen.open) return 'Wait for the next question.';
  return seen.choice === null ? 'Tap your answer.' : 'Answered. You can change it until your teacher shows the result.';
}

function show(seen) {
  const other = !shown || shown.number !== seen.number || shown.open !== seen.open;
  shown = seen;
  part('title').textContent = seen.number ? seen.text : 'You are in';
  part('page').hidden = !seen.page;
  if (seen.page) part('link').href = base.replace(/[^/]*\/$/, '') + seen.page;
  if (other) {
    part('choices').replaceChildren(...(seen.open ? seen.choices.map(button) : []));
    part('results').replaceChildren(...(seen.number && !seen.open ? results(seen) : []));
    part('answer').textContent = seen.number && !seen.open && seen.answer ? `BERT's answer: ${seen.answer}` : '';
  }
  mark(seen.choice);
  say(told(seen));
}

function mark(choice) {
  [...part('choices').children].forEach((button, i) => button.setAttribute('aria-pressed', String(i === choice)));
}

function button(text, i) {
  const made = element('button', text);
  made.type = 'button';
  made.addEventListener('click', () => vote(i));
  return made;
}

async function vote(choice) {
  if (sending) return;
  sending = true;
  const before = shown.choice;
  mark(choice);
  try {
    const { status, given } = await call(`${code}/vote`, { number: shown.number, choice });
    if (status === 200) { shown.choice = choice; tag = ''; say(told(shown)); }
    else { mark(before); say(given.error); tag = ''; }
  } catch {
    mark(before);
    say('No connection. Your answer was not sent. Tap it again.');
  }
  sending = false;
}

function results(seen) {
  const all = seen.counts.reduce((sum, count) => sum + count, 0);
  return seen.choices.map((choice, i) => {
    const row = element('li'), share = all ? seen.counts[i] / all : 0, own = i === seen.choice ? ' (your answer)' : '';
    const bar = element('div', '', 'bar');
    bar.style.width = `${100 * share}%`;
    row.append(element('p', choice + own), bar, element('small', `Class: ${percent(share)} (${seen.counts[i]})`));
    if (seen.shares.length) {
      const bert = element('div', '', 'bar bert'), given = seen.shares[i];
      bert.style.width = `${100 * (given || 0)}%`;
      row.append(bert, element('small', given === null ? 'BERT: no probability' : `BERT: ${percent(given)}`));
    }
    return row;
  });
}

part('join').addEventListener('submit', (event) => { event.preventDefault(); join(part('code').value); });
document.addEventListener('visibilitychange', () => { if (!document.hidden) ask(); });
function codeInAddress() {
  try { return read(decodeURIComponent(location.pathname.slice(base.length))); } catch { return ''; }
}

const wanted = codeInAddress();
if (wanted) join(wanted); else askForCode('');
