import { useTranslations } from "use-intl";
import { SearchField } from "../shell/search-field.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { X } from "../ui/icons.generated.ts";
import { Select } from "../ui/select.tsx";
import { type AuditSearch, auditOutcomes, auditTexts } from "./audit-search.ts";

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (change: AuditSearch) => void;
}

/** The filters of the audit log that are set, each with the button that removes it. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const t = useTranslations("audit");
  const set = auditTexts.filter((name) => name !== "search" && search[name] !== undefined);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <SearchField
        label={t("filters.search")}
        value={search.search}
        onChange={(text) => onChange({ search: text })}
      />
      <Select
        label={t("outcome")}
        value={search.outcome ?? ""}
        options={[
          { value: "", label: t("any") },
          ...auditOutcomes.map((value) => ({ value, label: t(value) })),
        ]}
        onChange={(outcome) => onChange({ outcome: outcome === "" ? undefined : outcome })}
      />
      {set.map((name) => (
        <span
          key={name}
          className="flex h-7 max-w-full items-center gap-1.5 rounded-control border border-accent-line bg-accent-soft pl-2"
        >
          <span className="text-ink-2">{t(`filters.${name}`)}</span>
          <code className="truncate font-mono text-2">{search[name]}</code>
          <IconButton
            label={t("remove", { name: t(`filters.${name}`) })}
            icon={X}
            onPress={() => onChange({ [name]: undefined })}
          />
        </span>
      ))}
    </div>
  );
}
