import { useTranslations } from "use-intl";
import { type BuilderParts, fittingOf } from "./builder-parts.ts";
import { FieldList, FieldSelect } from "./field-list.tsx";
import type { FieldUse } from "./field-options.ts";
import { FormSections } from "./form-sections.tsx";
import { TableColumns } from "./table-columns.tsx";
import type { Presentation } from "./view-draft.ts";

interface LayoutFieldsProps {
  readonly parts: BuilderParts;
}

/** What the chosen layout needs. */
export function LayoutFields({ parts }: LayoutFieldsProps) {
  const { presentation } = parts.draft;
  switch (presentation.layout) {
    case "table":
      return <TableColumns parts={parts} presentation={presentation} />;
    case "cards":
      return (
        <div className="grid gap-4">
          <OneField parts={parts} member="title" use="text" isNeeded />
          <OneField parts={parts} member="subtitle" use="text" />
          <OneField parts={parts} member="image" use="image" />
          <ManyFields parts={parts} member="badges" use="badge" />
        </div>
      );
    case "kanban":
      return (
        <div className="grid gap-4">
          <OneField parts={parts} member="group" use="group" isNeeded />
          <OneField parts={parts} member="title" use="text" isNeeded />
          <ManyFields parts={parts} member="fields" use="text" />
          <OneField parts={parts} member="order" use="order" />
          <OneField parts={parts} member="color" use="color" />
        </div>
      );
    case "calendar":
      return (
        <div className="grid gap-4">
          <OneField parts={parts} member="start" use="time" isNeeded />
          <OneField parts={parts} member="end" use="time" />
          <OneField parts={parts} member="title" use="text" isNeeded />
          <OneField parts={parts} member="color" use="color" />
        </div>
      );
    case "form":
      return <FormSections parts={parts} presentation={presentation} />;
    default:
      return presentation satisfies never;
  }
}

type One = "title" | "subtitle" | "image" | "group" | "order" | "color" | "start" | "end";

/** A member of the presentation that names one field. */
function OneField(props: {
  readonly parts: BuilderParts;
  readonly member: One;
  readonly use: FieldUse;
  readonly isNeeded?: boolean;
}) {
  const { parts, member, use, isNeeded = false } = props;
  const t = useTranslations("viewBuilder");
  const { presentation } = parts.draft;
  const members: Readonly<Record<string, unknown>> = presentation;
  const value = members[member];
  const set = (field: string | undefined) => {
    const { [member]: _, ...others } = members;
    const next = field === undefined ? others : { ...others, [member]: field };
    // The members of each layout are those that this component is used with.
    parts.change({ presentation: next as Presentation });
  };
  const start = typeof members.start === "string" ? members.start : undefined;
  const startColumn = parts.options.find(({ field }) => field === start)?.column;
  const fitting = fittingOf(parts, use);
  // An end is of the type of its start.
  const options =
    member === "end"
      ? fitting.filter(
          ({ field, column }) => field !== start && column.baseType === startColumn?.baseType,
        )
      : fitting;
  if (!isNeeded && options.length === 0 && value === undefined) return null;
  return (
    <FieldSelect
      label={t(`members.${member}`)}
      hint={t(`memberHints.${member}`)}
      fault={parts.faultAt(`/presentation/${member}`)}
      options={options}
      field={typeof value === "string" ? value : undefined}
      onChange={set}
      onClear={isNeeded ? null : () => set(undefined)}
    />
  );
}

/** A member of the presentation that names several fields. */
function ManyFields(props: {
  readonly parts: BuilderParts;
  readonly member: "badges" | "fields";
  readonly use: FieldUse;
}) {
  const { parts, member, use } = props;
  const t = useTranslations("viewBuilder");
  const { presentation } = parts.draft;
  const members: Readonly<Record<string, unknown>> = presentation;
  const value = members[member];
  return (
    <FieldList
      label={t(`members.${member}`)}
      addLabel={t(`add.${member}`)}
      options={fittingOf(parts, use)}
      fields={Array.isArray(value) ? value.map(String) : []}
      faultOf={(index) => parts.faultAt(`/presentation/${member}/${index}`)}
      onChange={(fields) => {
        const { [member]: _, ...others } = members;
        const next = fields.length === 0 ? others : { ...others, [member]: [...fields] };
        parts.change({ presentation: next as Presentation });
      }}
    />
  );
}
