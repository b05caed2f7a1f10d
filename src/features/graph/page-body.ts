/** What the view of the graph finds in its page: the extension makes the page, the view fills it. */
export const GRAPH_BODY = `<main>
<h1 class="unseen">Directly-Follows-Graph</h1>
<div id="toolbar" role="toolbar" aria-label="Graph"></div>
<section id="editor" aria-label="Mapping" hidden></section>
<div id="status" role="status" aria-live="polite"></div>
<div id="warnings" role="note"></div>
<svg id="stage" role="group" aria-label="Directly-Follows-Graph" tabindex="0">
<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 0 L10 5 L0 10 z"/></marker></defs>
<g id="canvas"></g>
</svg>
<section id="selection" aria-label="Selected activity"></section>
<div id="legend" data-kind="time">
<span class="time">share of the time: 0 <span class="scale"></span> most; thicker border too</span>
<span class="cost">share of what the calls cost in a run without the tracer: 0 <span class="scale"></span> most; thicker border too. Load and data rate (DR) are as recorded</span>
<span class="bytes">bytes moved: 0 <span class="scale"></span> most</span>
<span class="partition"><span class="swatch"></span> only green cases &nbsp; <span class="swatch red"></span> only red cases (dashed) &nbsp; no colour: both</span>
<span class="comparison"><span class="swatch"></span> only in the base &nbsp; <span class="swatch red"></span> only in the new recording (dashed) &nbsp; no colour: both. On edges: count in the base → in the new one</span>
</div>
<details><summary>Activity log: which cases share a trace</summary><div id="log"></div></details>
<details><summary>Nodes and edges as tables</summary><div id="table"></div></details>
</main>`;
