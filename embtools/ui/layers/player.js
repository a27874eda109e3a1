// Makes the slider and buttons of an animated chart accessible; reports the layer and the wish for reduced motion.
const REST = 1200; // ms without a change after which the slider has stopped: longer than a step of the animation

export default function ({ data, setTriggerValue, setStateValue }) {
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (still !== data.still) setStateValue('still', still); // every report asks for a run, also one of a known value
  const find = () => document.querySelector(`.st-key-chart-${data.chart} .js-plotly-plot`);
  let waiting;

  const equip = (chart) => {
    const slider = chart.querySelector('.slider-group');
    const { active, steps } = chart._fullLayout.sliders[0];
    const say = (element, values) => Object.entries(values).forEach(([k, v]) => element.setAttribute(k, v));
    say(slider, {
      tabindex: 0, role: 'slider', 'aria-label': 'Layer', 'aria-valuemin': 0, 'aria-valuemax': steps.length - 1, 'aria-valuenow': active,
    });
    slider.onkeydown = (event) => {
      const at = chart._fullLayout.sliders[0].active;
      const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: steps.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const tick = chart.querySelectorAll('.slider-label')[Math.max(0, Math.min(to, steps.length - 1))].getBoundingClientRect();
      const where = { bubbles: true, view: window, clientX: tick.x + tick.width / 2, clientY: tick.y };
      chart.querySelector('.slider-rail-touch-rect').dispatchEvent(new MouseEvent('mousedown', where));
      chart.dispatchEvent(new MouseEvent('mouseup', where));
    };
    chart.querySelectorAll('.updatemenu-button').forEach((button, number) => {
      say(button, { tabindex: 0, role: 'button', 'aria-label': number ? 'Pause' : 'Play through the layers' });
      button.onkeydown = (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        button.dispatchEvent(new MouseEvent('click', { bubbles: true, view: window }));
      };
    });
  };

  const watch = () => {
    const chart = find();
    if (!chart || !chart.on || !chart.querySelector('.slider-group')) return;
    equip(chart);
    if (chart.watched) return;
    chart.watched = true;
    chart.on('plotly_sliderchange', ({ step }) => {
      chart.querySelector('.slider-group').setAttribute('aria-valuenow', step.label);
      clearTimeout(waiting);
      waiting = setTimeout(() => setTriggerValue('layer', step.label), REST);
    });
  };
  const timer = setInterval(watch, 400);
  return () => clearInterval(timer);
}
