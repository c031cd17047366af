import type { HistoryChange, HistoryEntry } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import {
  type NavigationColumn,
  type NavigationResource,
  personQuery,
} from "../../shell/navigation.ts";
import { linkClasses } from "../../ui/classes.ts";
import { StateBadge } from "../../ui/entries.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ArrowRight, Undo2 } from "../../ui/icons.generated.ts";
import { isEqual } from "../model/is-equal.ts";
import { titleOf } from "../model/resource.ts";
import type { GridRow } from "../rows/row-store.ts";
import { CellValue } from "../values/cell-value.tsx";

interface HistoryItemProps {
  readonly entry: HistoryEntry;
  readonly resource: NavigationResource;
  readonly row: GridRow | undefined;
  readonly isBusy: boolean;
  readonly onPutBack: (base: GridRow, change: HistoryChange, title: string) => void;
}

/** One change of a record: who made it, when, and the values before and after it. */
export function HistoryItem({ entry, resource, row, isBusy, onPutBack }: HistoryItemProps) {
  const t = useTranslations("record");
  const format = useFormatter();
  const { action, at, tokenId, runId } = entry;
  const time = format.dateTime(new Date(at), { dateStyle: "medium", timeStyle: "medium" });
  return (
    <li className="grid gap-1 border-line border-b py-2.5 last:border-b-0">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <Author by={entry.by} />
        <time dateTime={at} title={at} className="text-2 text-ink-2 tabular-nums">
          {time}
        </time>
        {action !== "UPDATE" && (
          <StateBadge look={action === "DELETE" ? "warn" : "plain"}>{t(action)}</StateBadge>
        )}
        {tokenId !== null && <StateBadge look="plain">{t("byToken")}</StateBadge>}
        {runId !== null && <StateBadge look="plain">{t("byWorkflow")}</StateBadge>}
      </p>
      <ul className="grid">
        {entry.changes.map((change) => {
          const column = resource.columns.find(({ name }) => name === change.field);
          if (column === undefined) return null;
          const putBack = (base: GridRow) => onPutBack(base, change, titleOf(column));
          return (
            <ChangedField
              key={change.field}
              action={action}
              change={change}
              column={column}
              row={row}
              isBusy={isBusy}
              onPutBack={putBack}
            />
          );
        })}
      </ul>
    </li>
  );
}

/** The person of a change; for an administrator a link to the account. */
export function Author({ by }: Pick<HistoryEntry, "by">) {
  const t = useTranslations("record");
  const { data: person } = useQuery(personQuery);
  if (by === null) return <span className="font-medium">{t("otherClient")}</span>;
  const name = by.id === person?.id ? t("you") : by.name || t("somebody");
  return person?.isAdministrator === true ? (
    <AppLink
      href={`/admin/people/users/${by.id}`}
      dir="auto"
      className={`${linkClasses} wrap-anywhere font-medium`}
    >
      {name}
    </AppLink>
  ) : (
    <span className="wrap-anywhere font-medium" dir="auto" title={by.id}>
      {name}
    </span>
  );
}

interface ChangedFieldProps {
  readonly action: HistoryEntry["action"];
  readonly change: HistoryChange;
  readonly column: NavigationColumn;
  readonly row: GridRow | undefined;
  readonly isBusy: boolean;
  readonly onPutBack: (base: GridRow) => void;
}

/** The values of a field before and after a change. The earlier one of an update can be put back. */
function ChangedField(props: ChangedFieldProps) {
  const { action, change, column, row, isBusy, onPutBack } = props;
  const t = useTranslations("record");
  const name = titleOf(column);
  const isPresent = row !== undefined && isEqual(row.values[column.name], change.old);
  const mayPutBack = row !== undefined && row.key !== null && column.updatable;
  return (
    <li className="grid min-h-7 grid-cols-[minmax(0,116px)_minmax(0,1fr)_auto] items-center gap-2">
      <span className="truncate text-ink-2" title={name} dir="auto">
        {name}
      </span>
      <span className="flex min-w-0 flex-wrap items-center gap-x-1.5">
        {action !== "CREATE" && (
          <span className="flex min-w-0 max-w-full text-ink-2">
            <CellValue column={column} value={change.old} />
          </span>
        )}
        {action !== "DELETE" && (
          <span className="flex min-w-0 max-w-full items-center gap-x-1.5">
            {action === "UPDATE" && (
              <ArrowRight
                size={14}
                role="img"
                aria-label={t("became")}
                className="shrink-0 text-ink-3"
              />
            )}
            <CellValue column={column} value={change.new} />
          </span>
        )}
      </span>
      {action === "UPDATE" && !isPresent ? (
        <IconButton
          label={mayPutBack ? t("putBack", { name }) : t("cannotPutBack", { name })}
          icon={Undo2}
          isSmall
          isDisabled={isBusy}
          onPress={mayPutBack ? () => onPutBack(row) : null}
        />
      ) : (
        <span className="w-6" />
      )}
    </li>
  );
}
