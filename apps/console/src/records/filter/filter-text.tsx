import { lazy, Suspense, useId, useMemo } from "react";
import { useTranslations } from "use-intl";
import type { CodeFault } from "../../ui/code-editor.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { lineOf, scanJson } from "../values/json-fault.ts";
import { type FilterFault, pathInText } from "./filter-faults.ts";

const CodeEditor = lazy(() =>
  import("../../ui/code-editor.tsx").then((module) => ({ default: module.CodeEditor })),
);

interface FilterTextProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** What the service said about the applied filter; empty once the text differs from it. */
  readonly faults: readonly FilterFault[];
}

/** The filter as the JSON of the Data API, with faults at their place. */
export function FilterText({ text, onChange, faults }: FilterTextProps) {
  const t = useTranslations("filter");
  const id = useId();
  const found = useMemo(() => faultsIn(text, faults), [text, faults]);
  const marks = found.map(({ from, to, message }): CodeFault => {
    const own = message ?? t("notJson", lineOf(text, from));
    return { from, to, message: own };
  });
  return (
    <div className="grid min-h-0 min-w-0 grid-rows-[minmax(0,1fr)_auto] gap-2">
      <div className="h-72 min-h-0 max-sm:h-full">
        <Suspense fallback={<Skeleton label={t("textLabel")} rows={6} />}>
          <CodeEditor
            label={t("textLabel")}
            text={text}
            onChange={onChange}
            faults={marks}
            describedBy={id}
            autoFocus
          />
        </Suspense>
      </div>
      <div id={id} className="grid gap-1 text-2">
        {found.map(({ from, message }) => (
          <p key={`${from} ${message}`} className="text-danger">
            {message === null
              ? t("notJson", lineOf(text, from))
              : t("at", { ...lineOf(text, from), message })}
          </p>
        ))}
        <p className="text-ink-2">{t("textHint")}</p>
      </div>
    </div>
  );
}

/** The places of faults in a text; without a message, of its JSON. */
function faultsIn(text: string, faults: readonly FilterFault[]) {
  const { fault, places } = scanJson(text);
  if (fault !== undefined) {
    const { offset } = fault;
    return [{ from: offset, to: Math.min(offset + 1, text.length), message: null }];
  }
  const paths = [...places.keys()].map((key) => JSON.parse(key) as string[]);
  return faults.map((one) => {
    const place = places.get(JSON.stringify(pathInText(one, paths)));
    return { from: place?.from ?? 0, to: place?.to ?? 0, message: one.message };
  });
}
