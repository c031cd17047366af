import type { LegendItem } from "../model/drawn-chart.ts";

/** The colors of a chart with their meanings. */
export function ChartLegend({ items }: { readonly items: readonly LegendItem[] }) {
  if (items.length === 0) return <span />;
  return (
    <ul
      ref={watchOverflow}
      data-legend
      className="flex max-h-12 flex-wrap gap-x-3 overflow-y-auto rounded-control text-2 text-ink-2"
    >
      {items.map(({ key, text, color }) => (
        <li key={key} className="flex min-w-0 max-w-48 items-center gap-1.5">
          <span
            aria-hidden="true"
            className="size-2.5 shrink-0 rounded-[3px]"
            style={{ background: `var(--tone-${color})` }}
          />
          <bdi className="truncate" title={text}>
            {text}
          </bdi>
        </li>
      ))}
    </ul>
  );
}

/** A list that is larger than its place takes the focus, so that the keyboard scrolls it. */
function watchOverflow(list: HTMLUListElement): () => void {
  const observer = new ResizeObserver(() => {
    if (list.scrollHeight > list.clientHeight) list.tabIndex = 0;
    else list.removeAttribute("tabindex");
  });
  observer.observe(list);
  return () => observer.disconnect();
}
