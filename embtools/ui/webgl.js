// Tells the app when this browser cannot draw WebGL.
export default function ({ data, setStateValue }) {
  if (data.known) return;
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('webgl') || canvas.getContext('webgl2');
  if (!context) setStateValue('missing', true);
  else context.getExtension('WEBGL_lose_context')?.loseContext(); // a browser has few of them
}
