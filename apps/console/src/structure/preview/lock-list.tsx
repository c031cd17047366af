import { useFormatter, useLocale, useTranslations } from "use-intl";
import { bytesText } from "../../records/values/show-number.ts";
import { StateBadge } from "../../ui/entries.tsx";
import type { ChangePreview } from "../draft/use-preview.ts";
import { PaneSection } from "./pane-section.tsx";

type Lock = ChangePreview["locks"][number];

/** The tables that a change locks, with what waits meanwhile and how large they are. */
export function LockList(props: {
  readonly locks: readonly Lock[];
  readonly notes: readonly string[];
}) {
  const t = useTranslations("tableDraft");
  const format = useFormatter();
  const locale = useLocale();
  const largest = Math.max(1, ...props.locks.map(({ bytes }) => bytes ?? 0));
  return (
    <PaneSection title={t("locks")}>
      <ul className="grid gap-2.5">
        {props.locks.map((lock) => (
          <li key={`${lock.schema} ${lock.table}`} className="grid gap-1">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <code className="min-w-0 font-mono text-2 wrap-anywhere">
                {lock.schema}.{lock.table}
              </code>
              <StateBadge look={isHeavy(lock) ? "warn" : "plain"}>
                {t(`work.${lock.work}`)}, {t(`blocks.${lock.blocks}`)}
              </StateBadge>
              <span className="ml-auto text-ink-2 tabular-nums">
                {lock.bytes !== null && <bdi>{bytesText(String(lock.bytes), locale)}</bdi>}
              </span>
            </span>
            {lock.work !== "NONE" && lock.bytes !== null && (
              <span aria-hidden="true" className="h-1 overflow-hidden rounded-full bg-sunken">
                <span
                  className="block h-full bg-warn"
                  style={{ width: `${Math.max(2, (100 * lock.bytes) / largest)}%` }}
                />
              </span>
            )}
            {lock.rowEstimate !== null && (
              <span className="text-2 text-ink-2">
                {t("aboutRows", { number: format.number(lock.rowEstimate), mode: lock.mode })}
              </span>
            )}
          </li>
        ))}
      </ul>
      <p className="text-2 text-ink-2">{t("lockTimeout")}</p>
      {props.notes.map((note) => (
        <p key={note} lang="en" className="text-2 text-ink-2">
          {note}
        </p>
      ))}
    </PaneSection>
  );
}

function isHeavy({ work, blocks }: Lock): boolean {
  return work !== "NONE" && blocks !== "SCHEMA_CHANGES";
}
