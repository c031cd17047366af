import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { type ResourceEntry, resourceName } from "../../shell/resource-queries.ts";
import { SearchField } from "../../shell/search-field.tsx";
import { linkClasses } from "../../ui/classes.ts";
import { BookOpen, ChevronDown, ChevronRight } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { grantPath } from "../model/access-paths.ts";
import type { Grant, Role } from "../model/grant-queries.ts";
import type { MatrixSearch } from "../model/matrix-search.ts";
import type { ExposureChanges } from "../model/use-exposure.ts";
import { CellMark, markedStates } from "./cell-mark.tsx";
import { exposureSteps } from "./cell-menu.tsx";

/** What the marks of the matrix mean. */
export function Legend() {
  const t = useTranslations("access");
  return (
    <ul
      aria-label={t("matrix.legend")}
      className="flex flex-wrap gap-x-4 gap-y-1 text-2 text-ink-2"
    >
      {markedStates.map((state) => (
        <li key={state} className="flex items-center gap-1.5">
          <CellMark state={state} isShut={false} />
          {t(`state.${state}`)}
        </li>
      ))}
      <li className="flex items-center gap-1.5">
        <CellMark state="ALL" isShut />
        {t("matrix.shut")}
      </li>
    </ul>
  );
}

interface LostGrantsProps {
  readonly grants: readonly Grant[];
  readonly resources: readonly ResourceEntry[];
  readonly roles: readonly Role[];
}

/** Names the grants that allow nothing because they lost a column, with the way to each. */
export function LostGrants({ grants, resources, roles }: LostGrantsProps) {
  const t = useTranslations("access");
  const lost = grants.filter(({ effective }) => !effective);
  if (lost.length === 0) return null;
  return (
    <Notice kind="danger">
      <p className="font-medium">{t("lost.title", { count: lost.length })}</p>
      <ul className="grid gap-0.5">
        {lost.map((grant) => {
          const resource = resources.find(({ id }) => id === grant.resourceId);
          const role = roles.find(({ id }) => id === grant.roleId);
          return (
            <li key={grant.id}>
              <AppLink href={grantPath(grant.id)} className={linkClasses}>
                {t("lost.grant", {
                  role: role?.name ?? grant.roleId,
                  action: grant.action,
                  resource: resource === undefined ? grant.resourceId : resourceName(resource),
                })}
              </AppLink>{" "}
              {grant.lost
                .map(({ part, name }) => t("lost.part", { part: t(`part.${part}`), name }))
                .join(", ")}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}

interface MatrixFiltersProps {
  readonly search: MatrixSearch;
  readonly resources: readonly ResourceEntry[];
  readonly roles: readonly Role[];
  /** Whether the matrix is that of one role. */
  readonly isOfRole: boolean;
  readonly onChange: (change: MatrixSearch) => void;
}

/** Narrows the matrix to names, a schema and a role. */
export function MatrixFilters(props: MatrixFiltersProps) {
  const { search, resources, roles, isOfRole, onChange } = props;
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
      {!isOfRole && (
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
      )}
    </div>
  );
}

/** Unfolds the tables that nothing exposes, below the others of the matrix, and exposes all of them for reading. */
export function HiddenFold(props: {
  readonly hidden: readonly ResourceEntry[];
  readonly isOpen: boolean;
  readonly exposure: ExposureChanges;
  readonly onToggle: () => void;
}) {
  const { hidden, isOpen, exposure, onToggle } = props;
  const t = useTranslations("access");
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t bg-sunken px-2 py-1.5 first:border-t-0">
      <ToolButton kind="bare" aria-expanded={isOpen} onClick={onToggle}>
        <Chevron size={14} aria-hidden="true" />
        {t("hidden.fold", { count: hidden.length })}
      </ToolButton>
      <ToolButton onClick={() => exposure.set(hidden, exposureSteps[0].methods)}>
        <BookOpen size={14} aria-hidden="true" />
        {t("hidden.expose")}
      </ToolButton>
    </div>
  );
}
