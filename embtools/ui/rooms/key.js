// The key of the teacher's room stays in the teacher's browser: it survives a reload and is in no address.
const NAME = 'explorer-room';

export default function ({ data, setStateValue }) {
  try {
    if (data.keep) localStorage.setItem(NAME, data.keep);
    else {
      const held = localStorage.getItem(NAME);
      if (held && data.drop && held.startsWith(`${data.drop} `)) localStorage.removeItem(NAME);
      else if (held) setStateValue('held', held);
    }
  } catch { /* no storage: the room is lost at a reload */ }
}
