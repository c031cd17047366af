import { useId, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { Checkbox } from "../../ui/checkbox.tsx";
import { classes } from "../../ui/classes.ts";
import { referenceText } from "../grid/grid-column.ts";
import { titleOf } from "../model/resource.ts";
import { valueText } from "../values/show-value.ts";
import { useWays } from "../values/ways.ts";
import { type PastedCell, type PastedLine, repaired } from "./paste.ts";
import type { LineFault, OpenPaste } from "./use-paste.ts";

/** Lines that the dialog shows; all of them are written. */
const shownMax = 100;

interface LinesProps {
  readonly open: OpenPaste;
  readonly faulty: readonly number[];
  readonly refused: readonly LineFault[];
  /** The cells that stay open for repair, since their person has changed them. */
  readonly touched: ReadonlySet<string>;
  readonly onTouch: (cell: string) => void;
}

const cellId = (line: number, at: number): string => `${line} ${at}`;

/** The lines of a paste with the rows that they change or create. Faulty texts are repaired in their place. */
export function PasteLines({ open, faulty, refused, touched, onTouch }: LinesProps) {
  const t = useTranslations("grid.paste");
  const format = useFormatter();
  const { draft, place, paste } = open;
  const [isOnlyFaulty, setOnlyFaulty] = useState(false);
  const isOpen = ({ line }: PastedLine) =>
    faulty.includes(line) || [...touched].some((cell) => cell.startsWith(`${line} `));
  const chosen = isOnlyFaulty ? paste.lines.filter(isOpen) : paste.lines;
  // A long paste begins with what has to be repaired.
  const ordered =
    chosen.length > shownMax
      ? [...chosen.filter(isOpen), ...chosen.filter((line) => !isOpen(line))]
      : chosen;
  const shown = ordered.slice(0, shownMax);
  const map = (at: number, name: string) => {
    const mapping = draft.mapping.map((last, index) => {
      if (index === at) return name === "" ? null : name;
      // A column receives the texts of one pasted column.
      return last === name ? null : last;
    });
    open.change({ ...draft, mapping });
  };
  const receivable = place.columns.filter(
    ({ column, path }) => path === undefined && (column.creatable || column.updatable),
  );
  const toggle = (line: number, isTaken: boolean) => {
    const skipped = new Set(draft.skipped);
    if (isTaken) skipped.delete(line);
    else skipped.add(line);
    open.change({ ...draft, skipped });
  };
  return (
    <div className="grid min-w-0 gap-2">
      {(faulty.length > 0 || isOnlyFaulty) && paste.lines.length > 5 && (
        <Checkbox label={t("onlyFaulty")} isChecked={isOnlyFaulty} onChange={setOnlyFaulty} />
      )}
      <section
        aria-label={t("lines")}
        className="max-h-[50dvh] overflow-auto rounded-panel border border-line"
        // WCAG 2.1.1: the keyboard scrolls the region.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
      >
        <table className="min-w-full border-collapse text-left text-2">
          <thead className="sticky top-0 z-1 bg-canvas">
            <tr className="border-line border-b">
              <th scope="col" className="px-2.5 py-1.5 font-medium text-ink-2">
                {t("line")}
              </th>
              {draft.mapping.map((name, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: pasted columns have no name of their own
                <th key={at} scope="col" className="px-1 py-1.5 font-normal">
                  <select
                    aria-label={t("columnFor", { number: at + 1 })}
                    value={name ?? ""}
                    onChange={(event) => map(at, event.target.value)}
                    className="h-7 w-full min-w-28 rounded-control border border-line-input bg-surface px-1 font-medium"
                  >
                    <option value="">{t("leaveOut")}</option>
                    {receivable.map((item) => (
                      <option key={item.name} value={item.name} dir="auto">
                        {titleOf(item.column)}
                      </option>
                    ))}
                  </select>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((line) => (
              <Line
                key={line.line}
                {...{ open, line, touched, onTouch }}
                refused={refused.filter((fault) => fault.line === line.line)}
                onToggle={(isTaken) => toggle(line.line, isTaken)}
              />
            ))}
          </tbody>
        </table>
      </section>
      {chosen.length > shownMax && (
        <p className="text-2 text-ink-2">
          {t("more", { number: format.number(chosen.length - shownMax) })}
        </p>
      )}
    </div>
  );
}

function Line(props: {
  readonly open: OpenPaste;
  readonly line: PastedLine;
  readonly refused: readonly LineFault[];
  readonly touched: ReadonlySet<string>;
  readonly onTouch: (cell: string) => void;
  readonly onToggle: (isTaken: boolean) => void;
}) {
  const t = useTranslations("grid.paste");
  const format = useFormatter();
  const { open, line: pasted, refused, touched, onTouch, onToggle } = props;
  const { line, row, cells, isSkipped } = pasted;
  const { draft } = open;
  const number = line + (draft.hasHeads ? 0 : 1);
  const whole = refused.filter(
    ({ columns }) => !cells.some(({ column }) => columns.includes(column.name)),
  );
  return (
    <>
      <tr className={classes("border-line border-b align-top", isSkipped && "opacity-60")}>
        <th scope="row" className="px-2.5 py-1 font-normal whitespace-nowrap">
          <div className="flex items-center justify-between gap-2">
            <Checkbox
              label={t("take", { number: format.number(number) })}
              isChecked={!isSkipped}
              onChange={onToggle}
            />
            <span
              className={classes(
                "max-w-24 truncate rounded-control px-1.5 text-1",
                row === undefined ? "bg-ok-soft text-ok" : "bg-sunken text-ink-2",
              )}
            >
              {row === undefined ? t("new") : (row.key?.join(", ") ?? t("existing"))}
            </span>
          </div>
        </th>
        {draft.mapping.map((name, at) => {
          const cell = cells.find((each) => each.at === at);
          const id = cellId(line, at);
          const told = refused.filter(({ columns }) => name !== null && columns.includes(name));
          const isFaulty = cell?.state === "FAULT" || told.length > 0;
          return (
            <td key={id} className="max-w-72 px-2.5 py-1.5" dir="auto">
              {cell === undefined ? (
                <span className="text-ink-3 line-through">{draft.table[line]?.[at] ?? ""}</span>
              ) : !isSkipped && (isFaulty || touched.has(id)) ? (
                <Repair
                  label={t("repair", {
                    name: titleOf(cell.column.column),
                    number: format.number(number),
                  })}
                  cell={cell}
                  faults={[
                    ...(cell.fault === undefined ? [] : [cell.fault]),
                    ...told.map(({ text }) => text),
                  ]}
                  onChange={(text) => {
                    onTouch(id);
                    open.change(repaired(draft, line, at, text));
                  }}
                />
              ) : (
                <Shown cell={cell} line={pasted} />
              )}
            </td>
          );
        })}
      </tr>
      {whole.length > 0 && !isSkipped && (
        <tr className="border-line border-b">
          <td colSpan={draft.mapping.length + 1} className="px-2.5 py-1 text-danger">
            {whole.map(({ text }) => text).join(" ")}
          </td>
        </tr>
      )}
    </>
  );
}

/** What a text means: the new value, after the one that it replaces. */
function Shown({ cell, line }: { readonly cell: PastedCell; readonly line: PastedLine }) {
  const t = useTranslations("grid.paste");
  const ways = useWays();
  const { column, text, state, value, title, before } = cell;
  const { row } = line;
  const last =
    row === undefined
      ? ""
      : (referenceText(column, row.values, ways) ?? valueText(column.column, before, ways));
  if (state !== "SET") {
    return (
      <span className="block truncate text-ink-2">
        {row === undefined ? text : last}
        {state === "KEY" && <span className="ml-1 text-1">{t("keyStays", { text })}</span>}
      </span>
    );
  }
  const next = title ?? valueText(column.column, value, ways);
  return (
    <span className="block wrap-anywhere">
      {last !== "" && (
        <>
          <del className="text-ink-2">{last}</del>
          <span aria-hidden="true"> → </span>
        </>
      )}
      <ins className="font-medium no-underline">{next === "" ? t("empty") : next}</ins>
    </span>
  );
}

/** A text that is written anew, with its faults and the rows that it can mean. */
function Repair(props: {
  readonly label: string;
  readonly cell: PastedCell;
  readonly faults: readonly string[];
  readonly onChange: (text: string) => void;
}) {
  const t = useTranslations("grid.paste");
  const id = useId();
  const { label, cell, faults, onChange } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const commit = () => {
    if (typed !== null && typed !== cell.text) onChange(typed);
    setTyped(null);
  };
  const isFaulty = faults.length > 0;
  return (
    <div className="grid min-w-40 gap-1">
      <input
        aria-label={label}
        value={typed ?? cell.text}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          commit();
        }}
        {...(isFaulty ? { "aria-invalid": true, "aria-describedby": id } : {})}
        className="h-7 w-full rounded-control border border-line-input bg-surface px-1.5 aria-invalid:border-danger"
      />
      {isFaulty && (
        <p id={id} className="text-danger wrap-anywhere">
          {faults.join(" ")}
        </p>
      )}
      {cell.candidates !== undefined && (
        <div className="flex flex-wrap gap-1">
          {cell.candidates.map(({ key, title }) => (
            <button
              key={key}
              type="button"
              aria-label={t("choose", { title, key })}
              onClick={() => onChange(key)}
              className="min-h-6 rounded-control border border-line-input px-1.5"
            >
              {key}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
