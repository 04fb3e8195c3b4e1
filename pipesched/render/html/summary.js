"use strict";
// Nothing here may reach for the network: no logo, no cloud, no maps.
const config = {
  responsive: true, displaylogo: false, showSendToCloud: false, plotlyServerURL: "", showTips: false,
  displayNotifier: false, doubleClick: "reset", displayModeBar: true,
};

async function draw() {
  for (const chart of document.querySelectorAll(".chart")) {
    const figure = JSON.parse(document.getElementById(chart.id + "-data").textContent);
    const image = { format: "svg", filename: chart.dataset.name };
    await Plotly.newPlot(chart, figure.data, figure.layout, { ...config, toImageButtonOptions: image });
    await new Promise(requestAnimationFrame);  // show each chart as soon as it is there
  }
  document.documentElement.dataset.drawn = "yes";
}

// On paper charts have the width of the page, not of the window. Resizing must be done before printing
// goes on, so the layout of the paper is a class that is on already when the widths are read.
function fit(paper) {
  document.documentElement.classList.toggle("paper", paper);
  for (const chart of document.querySelectorAll(".js-plotly-plot")) {
    Plotly.relayout(chart, paper ? { width: chart.clientWidth } : { width: null, autosize: true });
  }
}
addEventListener("beforeprint", () => fit(true));
addEventListener("afterprint", () => fit(false));
draw();
