import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useId, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { findNames } from "../../shell/catalog-names.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";

const SqlEditor = lazy(() =>
  import("../../ui/sql-editor.tsx").then((module) => ({ default: module.SqlEditor })),
);

interface DefinitionFieldProps {
  readonly schema: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly faults: readonly string[];
  readonly isLocked: boolean;
}

/** The SELECT of a view, with completion from the catalogue. A fault that names its place is marked there. */
export function DefinitionField({
  schema,
  value,
  onChange,
  faults,
  isLocked,
}: DefinitionFieldProps) {
  const t = useTranslations("viewEditor");
  const words = useTranslations("manage");
  const id = useId();
  const queries = useQueryClient();
  const [target, goTo] = useState<TextPlace>();
  const [fault] = faults;
  const place = useMemo(
    () => (fault === undefined ? undefined : faultPlace(value, fault)),
    [value, fault],
  );
  const marks = useMemo(
    () => (place === undefined || fault === undefined ? [] : [{ ...place, message: fault }]),
    [place, fault],
  );
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-4">
        <span className="font-medium">{t("definition")}</span>
        {place !== undefined && (
          <ToolButton kind="bare" onClick={() => goTo({ ...place })}>
            {t("goToFault")}
          </ToolButton>
        )}
      </div>
      <div className="-m-0.5 h-64 min-h-24 resize-y overflow-hidden p-0.5">
        <Suspense fallback={<Skeleton label={words("loading")} rows={6} />}>
          <SqlEditor
            label={t("definition")}
            describedBy={id}
            text={value}
            onChange={onChange}
            faults={marks}
            target={target}
            isReadOnly={isLocked}
            findNames={async (text) => ({
              ...(await findNames(queries, text)),
              defaultSchema: schema,
            })}
          />
        </Suspense>
      </div>
      <div id={id} className="text-2">
        {faults.length > 0 ? (
          <p className="text-danger" lang="en">
            {faults.join(" · ")}
          </p>
        ) : (
          <p className="text-ink-2">{t("definitionHint")}</p>
        )}
      </div>
    </div>
  );
}

/** A part of a text. */
interface TextPlace {
  readonly from: number;
  readonly to: number;
}

/** Finds the word that a message of the service names at its end (`…, near maker`) as a whole word of the text. */
function faultPlace(text: string, message: string): TextPlace | undefined {
  const word = /, near (\S+)$/.exec(message)?.[1];
  if (word === undefined) return undefined;
  const isPart = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
  for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + 1)) {
    const to = from + word.length;
    if (!isPart(text[from - 1]) && !isPart(text[to])) return { from, to };
  }
  return undefined;
}
