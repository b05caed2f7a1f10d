/**
 * Says above a view what is selected in all of them.
 * @param before what it stands above.
 * @param isHere something of it is in this view.
 */
export function showBreadcrumb(before: HTMLElement, labels: readonly string[], isHere: boolean): void {
  const known = document.getElementById('breadcrumb');
  const shown = known ?? document.createElement('div');
  shown.id = 'breadcrumb';
  shown.setAttribute('role', 'status');
  shown.hidden = labels.length === 0;
  shown.textContent =
    labels.length === 0 ? '' : `Selected: ${labels.join(' › ')}${isHere ? '' : ' (nothing of it is here)'}`;
  if (known === null) before.before(shown);
}
