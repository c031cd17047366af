import { useTranslations } from "use-intl";
import { SearchField } from "../../shell/search-field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
import { Select } from "../../ui/select.tsx";
import { runOrders, runOrigins, runStatuses } from "./runs-query.ts";
import { type RunFilter, type RunsSearch, runFilters } from "./runs-search.ts";

/** Filters with a control of their own. */
const controls: ReadonlySet<RunFilter> = new Set(["search", "status", "origin"]);

interface RunFiltersProps {
  readonly search: RunsSearch;
  /** Shown in place of an id. */
  readonly nameOf: (filter: RunFilter, value: string) => string;
  readonly onChange: (change: RunsSearch) => void;
}

/** The filters of a list of runs, those without a control each with the button that removes it. */
export function RunFilters({ search, nameOf, onChange }: RunFiltersProps) {
  const t = useTranslations("workflows");
  const choice = <Value extends string>(
    values: readonly Value[],
    labelOf: (value: Value) => string,
    chosen: string | undefined,
  ) => [
    { value: "", label: t("any") },
    ...values.map((value) => ({ value: value as string, label: labelOf(value) })),
    // Several values, which only an address names.
    ...(chosen?.includes(",") === true ? [{ value: chosen, label: chosen }] : []),
  ];
  const set = runFilters.filter((name) => !controls.has(name));
  return (
    <div className="flex flex-wrap items-center gap-3">
      <SearchField
        label={t("filters.search")}
        value={search.search}
        onChange={(text) => onChange({ search: text })}
      />
      <Select
        label={t("status")}
        value={search.status ?? ""}
        options={choice(runStatuses, (one) => t(`statuses.${one}`), search.status)}
        onChange={(status) => onChange({ status: status === "" ? undefined : status })}
      />
      <Select
        label={t("origin")}
        value={search.origin ?? ""}
        options={choice(runOrigins, (one) => t(`origins.${one}`), search.origin)}
        onChange={(origin) => onChange({ origin: origin === "" ? undefined : origin })}
      />
      <Select
        label={t("order")}
        value={runOrders.find((one) => one === search.orderBy) ?? "-acceptedAt"}
        options={runOrders.map((value) => ({ value, label: t(`orders.${value}`) }))}
        onChange={(order) => onChange({ orderBy: order === "-acceptedAt" ? undefined : order })}
      />
      {set.map((name) => {
        const value = search[name];
        if (value === undefined) return null;
        return (
          <span
            key={name}
            className="flex h-7 max-w-full items-center gap-1.5 rounded-control border border-accent-line bg-accent-soft pl-2"
          >
            <span className="text-ink-2">{t(`filters.${name}`)}</span>
            <code className="truncate font-mono text-2">{nameOf(name, value)}</code>
            <IconButton
              label={t("removeFilter", { name: t(`filters.${name}`) })}
              icon={X}
              onPress={() => onChange({ [name]: undefined })}
            />
          </span>
        );
      })}
    </div>
  );
}
