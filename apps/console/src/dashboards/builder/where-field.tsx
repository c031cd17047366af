import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { FilterBar } from "../../records/filter/filter-bar.tsx";
import type { Where } from "../../records/filter/filter-tree.ts";
import type { FilterResource } from "../../records/filter/use-filter-resource.ts";
import type { DraftFault } from "./draft-faults.ts";

interface WhereFieldProps {
  readonly found: FilterResource;
  readonly where: Where | undefined;
  readonly faults: readonly Omit<DraftFault, "part">[];
  readonly onChange: (where: Where | undefined) => void;
}

const pointer = "/definition/where";

/** The filter of a panel, in the builder of the grid. */
export function WhereField({ found, where, faults, onChange }: WhereFieldProps) {
  const t = useTranslations("dashboardBuilder");
  const own = useMemo(
    () =>
      faults
        .filter((fault) => fault.pointer.startsWith(pointer))
        .map(({ message, pointer: at }) => ({
          code: "BODY_INVALID",
          message,
          path: `/data/where${at.slice(pointer.length)}`,
        })),
    [faults],
  );
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">{t("filter")}</legend>
      <FilterBar
        resource={found.resource}
        resources={found.resources}
        where={where}
        faults={own}
        onChange={onChange}
      />
    </fieldset>
  );
}
