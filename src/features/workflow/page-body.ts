/** What the view of a workflow finds in its page: the extension makes the page, the view fills it. */
export const WORKFLOW_BODY = `<main id="workflow">
<div id="status" role="status" aria-live="polite"></div>
<header id="heading"></header>
<div id="toolbar" role="toolbar" aria-label="Workflow"></div>
<svg id="stage" role="group" aria-label="Workflow graph" aria-describedby="keys" tabindex="0">
<defs>
<marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="10" markerHeight="10" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 1 L10 5 L0 9 z" class="tip"/></marker>
<marker id="critical-tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="13" markerHeight="13" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 1 L10 5 L0 9 z" class="tip critical"/></marker>
<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2" height="6" class="stripe"/></pattern>
</defs>
<g id="canvas"></g>
</svg>
<p id="keys" class="soft"></p>
<div id="legend"></div>
<div id="info"></div>
</main>`;
