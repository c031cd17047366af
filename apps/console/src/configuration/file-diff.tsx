import type { DiffLine, LineDiff } from "@rowhouse/wire";
import { useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { classes } from "../ui/classes.ts";
import { ToolButton } from "../ui/tool-button.tsx";

/** Lines that are shown at first. */
const shownMax = 400;

const looks = {
  "+": { sign: "+", look: "bg-ok-soft" },
  "-": { sign: "−", look: "bg-danger-soft" },
  " ": { sign: "", look: "" },
} as const;

/** How many lines a difference adds and removes. */
export function LineCounts({ diff }: { readonly diff: LineDiff }) {
  const t = useTranslations("configuration");
  return (
    <span className="ml-auto flex shrink-0 gap-2 pl-2 font-mono text-2 tabular-nums">
      {diff.added > 0 && (
        <span className="text-ok">
          <bdi aria-hidden="true">+{diff.added}</bdi>
          <span className="sr-only">{t("addedLines", { count: diff.added })}</span>
        </span>
      )}
      {diff.removed > 0 && (
        <span className="text-danger">
          <bdi aria-hidden="true">−{diff.removed}</bdi>
          <span className="sr-only">{t("removedLines", { count: diff.removed })}</span>
        </span>
      )}
    </span>
  );
}

/** The changed lines of a file or a value, with their numbers before and after. */
export function FileDiff({ diff, label }: { readonly diff: LineDiff; readonly label: string }) {
  const t = useTranslations("configuration");
  const format = useFormatter();
  const [isWhole, showWhole] = useState(false);
  const total = diff.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  let left = isWhole ? total : shownMax;
  const hunks = diff.hunks.flatMap(({ heading, lines }) => {
    const shown = lines.slice(0, left);
    left -= shown.length;
    return shown.length === 0 ? [] : [{ heading, lines: shown }];
  });
  return (
    <div>
      <table
        aria-label={label}
        className="w-full border-collapse font-mono text-2 leading-5"
        dir="ltr"
      >
        <thead className="sr-only">
          <tr>
            <th scope="col">{t("lineBefore")}</th>
            <th scope="col">{t("lineAfter")}</th>
            <th scope="col">{t("line")}</th>
          </tr>
        </thead>
        {hunks.map(({ heading, lines }, index) => (
          <tbody
            // Groups have an order and no other identity.
            key={String(index)}
            className={classes(index > 0 && "border-line border-t border-dashed")}
          >
            {heading !== "" && (
              <tr className="bg-sunken text-ink-2">
                <td colSpan={2} />
                <td className="pr-3 pl-2">
                  <code className="pl-4 wrap-anywhere">{heading}</code>
                </td>
              </tr>
            )}
            {lines.map((line) => (
              <Line key={`${line.before} ${line.after}`} line={line} />
            ))}
          </tbody>
        ))}
      </table>
      {!isWhole && total > shownMax && (
        <div className="px-3 py-2">
          <ToolButton onClick={() => showWhole(true)}>
            {t("allLines", { number: format.number(total) })}
          </ToolButton>
        </div>
      )}
    </div>
  );
}

function Line({ line }: { readonly line: DiffLine }) {
  const { sign, look } = looks[line.sign];
  return (
    <tr className={look}>
      <td className={numberClasses}>{line.before}</td>
      <td className={numberClasses}>{line.after}</td>
      <td className="pr-3 pl-2">
        <span className="flex">
          <span
            className={classes("w-4 shrink-0 select-none", line.sign !== " " && "font-semibold")}
          >
            {sign}
          </span>
          <code className="min-w-0 whitespace-pre-wrap wrap-anywhere">{line.text}</code>
        </span>
      </td>
    </tr>
  );
}

const numberClasses =
  "w-7 px-1 md:w-10 md:px-1.5 text-right align-top text-ink-2 tabular-nums select-none";
