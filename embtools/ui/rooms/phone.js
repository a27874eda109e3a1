// A phone in a room: joins once, asks every two seconds, shows the question, the buttons and the result.
// The token is kept in the browser, so that a locked or reloaded phone continues. Texts are only ever set as text.
'use strict';
const EVERY = 2000; // ms between two questions to the server
const PATIENCE = 8000; // ms for an answer: a phone that wakes up or changes its network can wait for one that never comes
const part = (id) => document.getElementById(id);
const base = location.pathname.replace(/[^/]*$/, ''); // …/room/
const read = (text) => text.toUpperCase().replace(/[\s\-–]/g, '');
const stored = {
  get: (key) => { try { return localStorage.getItem(key); } catch { return memory[key] || null; } },
  set: (key, value) => { memory[key] = value; try { localStorage.setItem(key, value); } catch { /* private mode */ } },
  drop: (key) => { delete memory[key]; try { localStorage.removeItem(key); } catch { /* private mode */ } },
};
const memory = {};
let code = '', token = '', tag = '', shown = null, timer = 0, asking = null, tapped = null, unsent = null, missed = 0, sending = false, joining = false;

const say = (text) => { if (part('status').textContent !== text) part('status').textContent = text; };
const percent = (share) => (share > 0 && share < 0.01 ? 'under 1%' : `${Math.round(100 * share)}%`);

// Zero has no bar at all, and a small share one that can be seen.
const wide = (share) => (share > 0 ? `max(2px, ${100 * share}%)` : '0');

function element(name, text, kind) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

async function call(path, body, stop = new AbortController()) {
  const options = { headers: { 'x-room-token': token }, cache: 'no-store', credentials: 'omit', signal: stop.signal };
  if (body) Object.assign(options, { method: 'POST', body: JSON.stringify(body) });
  else if (tag) options.headers['if-none-match'] = tag;
  const limit = setTimeout(() => stop.abort(), PATIENCE);
  try {
    const answer = await fetch(`${base}api/${path}`, options);
    return { status: answer.status, tag: answer.headers.get('etag'), given: answer.status === 304 ? null : await answer.json() };
  } finally { clearTimeout(limit); }
}

function askForCode(text) {
  forgetRequest();
  code = token = tag = '';
  shown = unsent = null;
  missed = 0;
  part('room').textContent = '';
  part('context').textContent = '';
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
      timer = setTimeout(() => join(typed), EVERY * (1 + 2 * Math.random()));
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

// The request that is under way: it is given up when the phone wakes up or comes back to a network.
function forgetRequest() {
  clearTimeout(timer);
  if (asking) asking.abort();
  asking = null;
}

async function ask() {
  clearTimeout(timer);
  if (asking || !token) return;
  const own = asking = new AbortController();
  let wait = EVERY, reached = false;
  try {
    const { status, given, tag: now } = await call(`${code}/state`, null, own);
    if (own !== asking) return;
    reached = status === 200 || status === 304;
    if (status === 200) { tag = now; show(given); }
    else if (status === 404) { stored.drop(`room-${code}`); askForCode(given.error); return; }
    else if (status !== 304) { say(given.error); wait = 2 * EVERY; }
    else if (shown) say(told(shown));
  } catch {
    if (own !== asking) return;
    say(unsent ? KEPT : 'No connection. Trying again …');
  }
  asking = null;
  if (unsent && reached) { vote(unsent.choice); return; }
  timer = setTimeout(ask, wait * (0.9 + 0.2 * Math.random())); // not all phones at the same moment
}

function awake() {
  if (document.hidden || !token || joining || sending) return;
  forgetRequest();
  ask();
}

const KEPT = 'Your answer is not sent yet. It is sent when there is a connection again.';
const LATE = 'Your last answer was not sent in time: this question takes no more answers.';

function told(seen) {
  if (seen.number && missed === seen.number) return LATE;
  if (!seen.number) return 'Your teacher has not asked a question yet.';
  if (!seen.open) return 'Wait for the next question.';
  return seen.choice === null ? 'Tap your answer.' : 'Answered. You can change it until your teacher shows the result.';
}

function show(seen) {
  const other = !shown || shown.number !== seen.number || shown.open !== seen.open;
  shown = seen;
  // An answer that waits for a connection is of no use any more when its question is over.
  if (unsent && (unsent.number !== seen.number || !seen.open)) {
    missed = unsent.number;
    unsent = null;
  }
  part('context').textContent = seen.number ? seen.context : '';
  part('title').textContent = seen.number ? seen.text : 'You are in';
  part('page').hidden = !seen.page;
  if (seen.page) part('link').href = base.replace(/[^/]*\/$/, '') + seen.page;
  if (other) {
    part('choices').replaceChildren(...(seen.open ? seen.choices.map(button) : []));
    part('results').replaceChildren(...(seen.number && !seen.open ? results(seen) : []));
    part('answer').textContent = seen.number && !seen.open && seen.answer ? `${seen.whose}: ${seen.answer}` : '';
  }
  mark(unsent ? unsent.choice : seen.choice);
  say(unsent ? KEPT : told(seen));
}

function mark(choice) {
  [...part('choices').children].forEach((button, i) => {
    button.setAttribute('aria-pressed', String(i === choice));
    button.classList.toggle('unsent', Boolean(unsent) && i === choice);
  });
}

function button(text, i) {
  const made = element('button', text);
  made.type = 'button';
  made.addEventListener('click', () => vote(i));
  return made;
}

// One answer is sent at a time. A tap while one is under way is kept and sent after it: the last tap counts. One that
// does not get through is kept too, and sent as soon as the server answers again.
async function vote(choice) {
  tapped = { number: shown.number, choice };
  unsent = null;
  mark(choice);
  if (sending) return;
  sending = true;
  forgetRequest(); // it could come back with the answer from before this tap
  tag = '';
  while (tapped) {
    const sent = tapped;
    tapped = null;
    let problem = '';
    try {
      const { status, given } = await call(`${code}/vote`, sent);
      if (status === 200) shown.choice = sent.choice;
      else if (status === 429 || status === 503) unsent = sent;
      else problem = given.error;
    } catch {
      unsent = sent;
    }
    if (tapped) continue;
    mark(unsent ? unsent.choice : shown.choice);
    say(unsent ? KEPT : problem || told(shown));
  }
  sending = false;
  timer = setTimeout(ask, EVERY);
}

function results(seen) {
  const all = seen.counts.reduce((sum, count) => sum + count, 0);
  return seen.choices.map((choice, i) => {
    const row = element('li'), share = all ? seen.counts[i] / all : 0, own = i === seen.choice ? ' (your answer)' : '';
    const picked = !seen.shares.length && i === seen.picked ? ` – ${seen.whose.replace(/^The/, 'the')}` : '';
    const bar = element('div', '', 'bar');
    bar.style.width = wide(share);
    row.append(element('p', choice + own + picked), bar, element('small', `Class: ${percent(share)} (${seen.counts[i]})`));
    if (seen.shares.some((share) => share !== null)) {
      const bert = element('div', '', 'bar bert'), given = seen.shares[i];
      bert.style.width = wide(given);
      row.append(bert, element('small', given === null ? 'BERT: no probability (not one token)' : `BERT: ${percent(given)}`));
    }
    return row;
  });
}

part('join').addEventListener('submit', (event) => { event.preventDefault(); join(part('code').value); });
document.addEventListener('visibilitychange', awake);
window.addEventListener('online', awake);
function codeInAddress() {
  try { return read(decodeURIComponent(location.pathname.slice(base.length))); } catch { return ''; }
}

const wanted = codeInAddress();
if (wanted) join(wanted); else askForCode('');
