// The key of the teacher's room stays in the teacher's browser: it survives a reload and is in no address.
const NAME = 'explorer-room';

// What the browser has kept is reported as a trigger: a state would be sent once more, as it was then, when the page
// connects to another server, and the projector would not show the room again.
export default function ({ data, setTriggerValue }) {
  try {
    if (data.keep) localStorage.setItem(NAME, data.keep);
    else {
      const held = localStorage.getItem(NAME);
      if (held && data.drop && held.startsWith(`${data.drop} `)) localStorage.removeItem(NAME);
      else if (held) setTriggerValue('held', held);
    }
  } catch { /* no storage: the room is lost at a reload */ }
}
