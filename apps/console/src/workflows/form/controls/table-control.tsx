import { useState } from "react";
import { useTranslations } from "use-intl";
import { Combobox } from "../../../ui/combobox.tsx";
import { type ControlProps, controlClasses } from "../control-props.ts";
import { FaultLines } from "../field-frame.tsx";
import { useFaults, useForm } from "../form-context.ts";
import { tableOf, useTable } from "../use-table.ts";

const shownMax = 60;

/** The table of a step, which is found by a part of its name. The schema follows it. */
export function TableControl({ id, describedBy, isInvalid, value }: ControlProps) {
  const t = useTranslations("workflowForm.table");
  const { value: step, change } = useForm();
  const { schema, table } = tableOf(step);
  const { all, entry } = useTable();
  const [typed, setTyped] = useState<string>();
  const schemaFaults = useFaults("/schema");
  const present = table === "" ? "" : `${schema}.${table}`;
  const search = (typed ?? "").trim().toLowerCase();
  const found = (all ?? []).filter((one) =>
    `${one.schema}.${one.name} ${one.label ?? ""}`.toLowerCase().includes(search),
  );
  const isUnknown = all !== undefined && entry === undefined && value !== undefined && table !== "";
  const choose = (name: string) => {
    setTyped(undefined);
    const chosen = found.find((one) => one.id === name);
    if (chosen === undefined) return;
    const isDefault = chosen.schema === "public" && step.schema === undefined;
    change({ table: chosen.name, ...(isDefault ? {} : { schema: chosen.schema }) });
  };
  return (
    <>
      <Combobox
        id={id}
        label={undefined}
        text={typed ?? present}
        onText={setTyped}
        options={found.slice(0, shownMax).map((one) => ({
          id: one.id,
          label: `${one.schema}.${one.name}`,
          detail: one.label ?? t(one.kind),
        }))}
        chosen={entry?.id}
        onChoose={choose}
        onOpen={() => setTyped("")}
        onLeave={() => setTyped(undefined)}
        message={all === undefined ? t("loading") : found.length === 0 ? t("notFound") : undefined}
        placeholder={present === "" ? t("choose") : typed === undefined ? undefined : present}
        inputClassName={controlClasses}
        describedBy={describedBy}
        isInvalid={isInvalid || schemaFaults.length > 0}
      />
      {isUnknown && (
        <p role="alert" className="text-2 text-warn">
          {t("unknown", { name: present })}
        </p>
      )}
      <FaultLines faults={schemaFaults} />
    </>
  );
}
