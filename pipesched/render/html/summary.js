// Draws the summary charts with plotly, which lies in the page as inert text and is loaded only when a chart
// comes near the window, or for paper: it never delays the viewer.
const config = {
  responsive: true, displaylogo: false, showSendToCloud: false, plotlyServerURL: "", showTips: false,
  displayNotifier: false, doubleClick: "reset", displayModeBar: "hover",
};
const waiting = new Set(document.querySelectorAll(".chart"));
let source = null;

async function unpack() {
  const packed = atob(document.getElementById("plotly").textContent), bytes = new Uint8Array(packed.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = packed.charCodeAt(i);
  source = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

function load() {
  if (globalThis.Plotly) return;
  document.head.append(Object.assign(document.createElement("script"), { textContent: source }));
}

function plot(chart) {
  if (!source || !waiting.delete(chart)) return;
  load();
  const { data, layout } = JSON.parse(document.getElementById(`${chart.id}-data`).textContent);
  Plotly.newPlot(chart, data, layout, { ...config, toImageButtonOptions: { format: "svg", filename: chart.dataset.name } });
  if (!waiting.size) document.documentElement.dataset.drawn = "yes";
}

// On paper charts have the width of the page, not of the window. Resizing must be done before printing
// goes on, so the layout of the paper is a class that is on already when the widths are read.
function fit(paper) {
  document.documentElement.classList.toggle("paper", paper);
  if (paper) for (const chart of [...waiting]) plot(chart);
  for (const chart of document.querySelectorAll(".js-plotly-plot"))
    Plotly.relayout(chart, paper ? { width: chart.clientWidth } : { width: null, autosize: true });
}

async function summary() {
  await unpack();
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) { seen.unobserve(target); plot(target); }
  }, { rootMargin: "200px" });
  for (const chart of waiting) seen.observe(chart);
}
if (waiting.size) {
  addEventListener("beforeprint", () => fit(true));
  addEventListener("afterprint", () => fit(false));
  setTimeout(summary, 300);  // after the first picture
}
