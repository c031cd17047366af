import { useTranslations } from "use-intl";
import type { ResourceEntry } from "../../shell/resource-queries.ts";
import { SearchField } from "../../shell/search-field.tsx";
import { Select } from "../../ui/select.tsx";
import type { Role } from "../access-queries.ts";
import type { MatrixSearch } from "./matrix-search.ts";

interface MatrixFiltersProps {
  readonly search: MatrixSearch;
  readonly resources: readonly ResourceEntry[];
  readonly roles: readonly Role[];
  readonly onChange: (change: MatrixSearch) => void;
}

/** Narrows the matrix to names, a schema and a role. */
export function MatrixFilters({ search, resources, roles, onChange }: MatrixFiltersProps) {
  const t = useTranslations("access");
  const schemas = [...new Set(resources.map(({ schema }) => schema))].toSorted();
  const own = roles.filter(({ isAdministrators }) => !isAdministrators);
  const given = (value: string) => (value === "" ? undefined : value);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <SearchField
        label={t("matrix.search")}
        value={search.search}
        onChange={(text) => onChange({ search: text })}
      />
      <Select
        label={t("matrix.schema")}
        value={search.schema ?? ""}
        options={[
          { value: "", label: t("matrix.all") },
          ...schemas.map((value) => ({ value, label: value, isName: true })),
        ]}
        onChange={(schema) => onChange({ schema: given(schema) })}
      />
      <Select
        label={t("matrix.role")}
        value={search.role ?? ""}
        options={[
          { value: "", label: t("matrix.all") },
          ...own
            .toSorted((a, b) => a.name.localeCompare(b.name))
            .map(({ id, name }) => ({ value: id, label: name, isName: true })),
        ]}
        onChange={(role) => onChange({ role: given(role) })}
      />
    </div>
  );
}
