import { type ReactNode, useId } from "react";
import { useMessages, useTranslations } from "use-intl";
import { Field, inputClasses } from "../ui/field.tsx";
import type { LoggedAction } from "./audit-search.ts";
import { useActionName } from "./use-sentence.tsx";

/** A choice whose first option restricts nothing. */
export function FilterChoice(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string | undefined) => void;
  readonly children: ReactNode;
}) {
  const t = useTranslations("audit");
  const id = useId();
  return (
    <Field id={id} label={props.label}>
      <select
        id={id}
        value={props.value}
        onChange={({ target }) => props.onChange(target.value === "" ? undefined : target.value)}
        className={inputClasses}
      >
        <option value="">{t("any")}</option>
        {props.children}
      </select>
    </Field>
  );
}

interface NameSelectProps {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Chooses an action by what it does: "created a role". */
export function ActionSelect({ value, onChange }: NameSelectProps) {
  const t = useTranslations("audit");
  const { audit } = useMessages();
  const nameOf = useActionName();
  const actions = Object.entries(audit?.actions ?? {}).flatMap(([kind, verbs]) =>
    Object.keys(verbs).map((verb) => `${kind}.${verb}` as LoggedAction),
  );
  return (
    <FilterChoice label={t("filters.action")} value={value ?? ""} onChange={onChange}>
      {actions.map((action) => (
        <option key={action} value={action}>
          {nameOf(action)}
        </option>
      ))}
    </FilterChoice>
  );
}

/** Chooses a kind of target. Tables and views are one kind, and a session is no target that a person looks for. */
export function KindSelect({ value, onChange }: NameSelectProps) {
  const t = useTranslations("audit");
  const { audit } = useMessages();
  const kinds = Object.keys(audit?.kinds ?? {}) as (keyof NonNullable<typeof audit>["kinds"])[];
  return (
    <FilterChoice label={t("filters.targetKind")} value={value ?? ""} onChange={onChange}>
      {kinds
        .filter((kind) => kind !== "table" && kind !== "view")
        .map((kind) => (
          <option key={kind} value={kind}>
            {t(`kinds.${kind}.any`)}
          </option>
        ))}
    </FilterChoice>
  );
}
