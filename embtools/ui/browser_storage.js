// A text that the browser stores for the app, so that it survives a reload and is the same in all tabs.
export default function ({ data, setStateValue }) {
  const name = `explorer-${data.name}`;
  const listening = window.explorerStored = window.explorerStored || {};
  const tell = (text) => setStateValue('held', { at: performance.timeOrigin + performance.now(), text });
  try {
    if (data.value === '') localStorage.removeItem(name);
    else if (data.value !== null) localStorage.setItem(name, data.value);
    else if (data.answer || localStorage.getItem(name)) tell(localStorage.getItem(name) ?? '');
  } catch { /* no storage: the text ends with the visit */ }
  removeEventListener('storage', listening[name]);
  listening[name] = (event) => { if (event.key === name) tell(event.newValue ?? ''); };
  addEventListener('storage', listening[name]);
}
