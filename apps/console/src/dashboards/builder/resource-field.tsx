import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { navigationQuery } from "../../shell/navigation.ts";
import { ComboField } from "../../ui/combobox.tsx";

interface ResourceFieldProps {
  readonly resourceId: string | null;
  readonly label: string;
  readonly fault?: string | undefined;
  readonly isFirst?: boolean;
  readonly onChange: (resourceId: string) => void;
}

const shownMax = 60;

/** Finds one of the tables and views whose rows can be read. */
export function ResourceField(props: ResourceFieldProps) {
  const { resourceId, label, fault, onChange } = props;
  const t = useTranslations("dashboardBuilder");
  const words = useTranslations("manage");
  const { data } = useQuery(navigationQuery);
  const [typed, setTyped] = useState<string>();
  const readable = (data?.resources ?? []).filter(({ actions }) => actions.includes("READ"));
  const present = readable.find(({ id }) => id === resourceId);
  const text = (typed ?? "").toLowerCase();
  const found = readable.filter(({ schema, name, label: title }) =>
    `${title ?? ""} ${schema}.${name}`.toLowerCase().includes(text),
  );
  const message =
    data === undefined
      ? words("loading")
      : found.length === 0
        ? words("nothingFound")
        : found.length > shownMax
          ? t("moreTables")
          : undefined;
  return (
    <ComboField
      label={label}
      fault={fault}
      shown={
        present === undefined
          ? resourceId === null || data === undefined
            ? ""
            : t("goneTable")
          : (present.label ?? present.name)
      }
      chosen={resourceId ?? undefined}
      typed={typed}
      onType={setTyped}
      options={found.slice(0, shownMax).map(({ id, schema, name, label: title }) => ({
        id,
        label: title ?? name,
        detail: `${schema}.${name}`,
      }))}
      onChoose={onChange}
      message={message}
      placeholder={t("tablePlaceholder")}
      isFirst={props.isFirst === true}
    />
  );
}
