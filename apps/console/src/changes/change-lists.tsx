import type { AdminOperations } from "@rowhouse/client";
import type { ReactNode } from "react";
import { useFormatter, useLocale, useTranslations } from "use-intl";
import { bytesText } from "../records/values/show-number.ts";
import { StateBadge } from "../ui/entries.tsx";
import { TextField } from "../ui/text-field.tsx";

/** The effects of a change. */
export type ChangePreview =
  AdminOperations["POST /schema/{schema}/tables/{table}/preview"]["answer"]["data"];

/** A part of the preview. */
export function PaneSection(props: {
  readonly title?: string;
  readonly detail?: string;
  readonly children: ReactNode;
}) {
  const { title, detail } = props;
  // It has no name, because several changes on a page have parts of the same name.
  return (
    <section className="grid gap-2 border-line border-b p-4 last:border-b-0">
      {title !== undefined && (
        <h2 className="font-semibold">
          {title} {detail !== undefined && <span className="font-normal text-ink-2">{detail}</span>}
        </h2>
      )}
      {props.children}
    </section>
  );
}

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
        <p key={note} lang="en" className="text-2 text-ink-2 wrap-anywhere">
          {note}
        </p>
      ))}
    </PaneSection>
  );
}

function isHeavy({ work, blocks }: Lock): boolean {
  return work !== "NONE" && blocks !== "SCHEMA_CHANGES";
}

/** What a change takes away: values, keys, views with their grants, relations. */
export function LossList({ losses }: { readonly losses: ChangePreview["losses"] }) {
  const t = useTranslations("tableDraft");
  return (
    <PaneSection title={t("losses")}>
      <ul className="grid gap-1">
        {losses.map(({ path, object, name, note }) => (
          <li key={`${path} ${object} ${name}`} className="wrap-anywhere">
            <span lang="en" className="text-ink-2">
              {object}
            </span>{" "}
            <code className="font-mono text-2">{name}</code>
            {note !== null && (
              <span lang="en" className="text-ink-2">
                {" "}
                · {note}
              </span>
            )}
          </li>
        ))}
      </ul>
    </PaneSection>
  );
}

interface ConfirmationFieldsProps {
  readonly confirmations: ChangePreview["confirmations"];
  readonly typed: Readonly<Record<string, string>>;
  readonly onChange: (typed: Readonly<Record<string, string>>) => void;
  readonly faultAt: (pointer: string) => string | undefined;
}

/** A field for each name that has to be typed, because data goes for good. */
export function ConfirmationFields(props: ConfirmationFieldsProps) {
  const t = useTranslations("tableDraft");
  const { confirmations, typed, onChange, faultAt } = props;
  return confirmations.map(({ path, confirm }, index) => (
    <TextField
      key={path}
      label={t("typeName", { name: confirm })}
      name={path}
      autoComplete="off"
      value={typed[path] ?? ""}
      onChange={(text) => onChange({ ...typed, [path]: text })}
      fault={faultAt(path)}
      isFirst={index === 0}
    />
  ));
}

/** Whether each name is typed as it is. */
export function isConfirmed(
  confirmations: ChangePreview["confirmations"],
  typed: Readonly<Record<string, string>>,
): boolean {
  return confirmations.every(({ path, confirm }) => typed[path] === confirm);
}
