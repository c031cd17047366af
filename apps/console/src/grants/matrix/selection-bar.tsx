import { useLayoutEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import type { ResourceEntry } from "../../shell/resource-queries.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Copy, ShieldCheck, X } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { ExposureChanges } from "../model/use-exposure.ts";
import { exposureSteps } from "./cell-menu.tsx";
import { headIndex } from "./matrix-layout.ts";

interface SelectionBarProps {
  readonly selected: readonly ResourceEntry[];
  readonly exposure: ExposureChanges;
  /** Null if there is no role that could have a grant. */
  readonly onGrant: (() => void) | null;
  readonly onCopy: (() => void) | null;
  readonly onClear: () => void;
}

/** Pixels between the bar and what is above it, and between the bar and the edge of the window. */
const barGap = 24;

/** What can be done with the selected tables and views together. */
export function SelectionBar({ selected, exposure, ...props }: SelectionBarProps) {
  const t = useTranslations("access");
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const [bar, { style }] = [place.current, document.documentElement];
    if (bar === null) return;
    // What the page scrolls into view must not lie below the bar.
    const sizes = new ResizeObserver(() => {
      style.scrollPaddingBottom = `${bar.offsetHeight + barGap}px`;
    });
    sizes.observe(bar);
    return () => {
      sizes.disconnect();
      style.removeProperty("scroll-padding-bottom");
    };
  }, []);
  return (
    <section
      ref={place}
      aria-label={t("bulk.selection")}
      className="sticky bottom-3 z-30 flex flex-wrap items-center gap-2 rounded-panel border border-line-strong bg-surface px-3 py-2"
    >
      <p role="status" className="mr-1 font-medium tabular-nums">
        {t("bulk.selected", { count: selected.length })}
      </p>
      <fieldset className="flex flex-wrap items-center gap-1.5">
        <legend className="float-left mr-1.5 text-2 text-ink-2">{t("bulk.exposeFor")}</legend>
        {exposureSteps.map(({ id, methods, Icon }) => (
          <ToolButton key={id} onClick={() => exposure.set(selected, methods)}>
            <Icon size={14} aria-hidden="true" />
            {t(`bulk.${id}`)}
          </ToolButton>
        ))}
      </fieldset>
      {props.onGrant !== null && (
        <ToolButton kind="primary" onClick={props.onGrant}>
          <ShieldCheck size={14} aria-hidden="true" />
          {t("bulk.grant")}
        </ToolButton>
      )}
      {props.onCopy !== null && (
        <ToolButton onClick={props.onCopy}>
          <Copy size={14} aria-hidden="true" />
          {t("bulk.copy")}
        </ToolButton>
      )}
      <span className="ml-auto">
        <IconButton label={t("bulk.clear")} icon={X} onPress={props.onClear} />
      </span>
    </section>
  );
}

/** The selected rows of the matrix. Rows that the filter leaves out are not selected. */
export function useSelection(rows: readonly ResourceEntry[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string>(undefined);
  const selected = rows.filter(({ id }) => ids.has(id));
  const select = (row: number, isRange: boolean): void => {
    if (row === headIndex) {
      setIds(new Set(selected.length === rows.length ? [] : rows.map(({ id }) => id)));
      return;
    }
    const pressed = rows[row];
    if (pressed === undefined) return;
    const from = isRange ? rows.findIndex(({ id }) => id === last.current) : -1;
    const range =
      from === -1 ? [pressed] : rows.slice(Math.min(from, row), Math.max(from, row) + 1);
    const isSelected = from !== -1 || !ids.has(pressed.id);
    last.current = pressed.id;
    const next = new Set(ids);
    for (const { id } of range) {
      if (isSelected) next.add(id);
      else next.delete(id);
    }
    setIds(next);
  };
  return { ids, selected, select, clear: () => setIds(new Set()) };
}
