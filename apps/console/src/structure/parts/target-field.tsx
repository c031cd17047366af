import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { Combobox } from "../../ui/combobox.tsx";
import { Field, inputClasses } from "../../ui/field.tsx";
import { useDelayed } from "../draft/use-delayed.ts";

/** A table that a foreign key refers to. */
export interface Target {
  readonly id: string;
  readonly schema: string;
  readonly name: string;
}

/** Finds the table that a foreign key refers to, in every schema. */
export function TargetField(props: {
  readonly target: Target | undefined;
  readonly onChange: (target: Target) => void;
}) {
  const t = useTranslations("tableDraft");
  const words = useTranslations("manage");
  const id = useId();
  const { target } = props;
  const [text, setText] = useState("");
  const search = useDelayed(text, 150);
  const { data } = useQuery({
    queryKey: ["structure", "targets", search],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { kind: "TABLE", limit: 50, ...(search !== "" && { search }) } as const;
      return (await client.admin.get("/resources", { query, signal })).data;
    },
  });
  // The list of an earlier text must not offer what the present one does not find.
  const wanted = text.toLowerCase();
  const found = (data ?? []).filter(({ schema, name, label }) =>
    [`${schema}.${name}`, label ?? ""].some((one) => one.toLowerCase().includes(wanted)),
  );
  const shown = target === undefined ? "" : `${target.schema}.${target.name}`;
  return (
    <Field id={id} label={t("targetTable")}>
      <Combobox
        id={id}
        label={undefined}
        text={text === "" ? shown : text}
        onText={setText}
        options={found.map((one) => ({ id: one.id, label: one.name, detail: one.schema }))}
        chosen={target?.id}
        onChoose={(chosen) => {
          const next = found.find((one) => one.id === chosen);
          if (next === undefined) return;
          setText("");
          props.onChange(next);
        }}
        message={data !== undefined && found.length === 0 ? words("nothingFound") : undefined}
        placeholder={words("search")}
        inputClassName={inputClasses}
        autoFocus
      />
    </Field>
  );
}
