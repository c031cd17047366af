import { useState } from "react";
import { useTranslations } from "use-intl";
import { titleOf } from "../../records/model/resource.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { ComboField } from "../../ui/combo-field.tsx";

const shownMax = 60;

interface ResourceFieldProps {
  readonly resources: readonly NavigationResource[];
  readonly resourceId: string;
  /** Whether it cannot change any more. */
  readonly isFixed: boolean;
  readonly fault: string | undefined;
  readonly onChoose: (id: string) => void;
}

/** Chooses the table or view whose rows a DataView shows. */
export function ResourceField(props: ResourceFieldProps) {
  const { resources, resourceId, isFixed } = props;
  const t = useTranslations("viewBuilder");
  const [typed, setTyped] = useState<string>();
  const chosen = resources.find(({ id }) => id === resourceId);
  const shown = chosen === undefined ? "" : `${titleOf(chosen)} (${chosen.schema}.${chosen.name})`;
  if (isFixed) {
    return (
      <div className="grid gap-1">
        <span className="font-medium">{t("resource")}</span>
        <span dir="auto" className="wrap-anywhere">
          {shown === "" ? t("noResource") : shown}
        </span>
        <span className="text-2 text-ink-2">{t("resourceFixed")}</span>
      </div>
    );
  }
  const wanted = (typed ?? "").toLowerCase();
  const found = resources.filter(
    ({ actions, schema, name, label }) =>
      actions.includes("READ") && `${label ?? ""} ${schema}.${name}`.toLowerCase().includes(wanted),
  );
  return (
    <ComboField
      label={t("resource")}
      fault={props.fault}
      shown={shown}
      chosen={chosen?.id}
      typed={typed}
      onType={setTyped}
      options={found.slice(0, shownMax).map((one) => ({
        id: one.id,
        label: titleOf(one),
        detail: `${one.schema}.${one.name}`,
      }))}
      onChoose={props.onChoose}
      message={found.length === 0 ? t("nothingExposed") : undefined}
      placeholder={t("chooseResource")}
    />
  );
}
