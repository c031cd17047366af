import { useTranslations } from "use-intl";
import { FilterBar } from "../../records/filter/filter-bar.tsx";
import type { FilterFault } from "../../records/filter/filter-faults.ts";
import { IconField } from "../../records/saved/icon-field.tsx";
import { RolesField } from "../../records/saved/roles-field.tsx";
import type { NavigationResource } from "../../shell/navigation.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Section } from "../../ui/section.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { type BuilderParts, fittingOf } from "./builder-parts.ts";
import { FieldList } from "./field-list.tsx";
import { LayoutChoice } from "./layout-choice.tsx";
import { LayoutFields } from "./layout-fields.tsx";
import { OrderTerms } from "./order-terms.tsx";
import { proposeLayout } from "./propose-layout.ts";
import { ResourceField } from "./resource-field.tsx";
import type { Layout, Presentation, ViewDraft } from "./view-draft.ts";

interface ViewFormProps {
  /** Undefined until a resource is chosen. */
  readonly parts: BuilderParts | undefined;
  readonly draft: ViewDraft;
  readonly resources: readonly NavigationResource[];
  /** Whether the resource can still be chosen. */
  readonly isNew: boolean;
  readonly faults: readonly FilterFault[];
  readonly faultAt: (pointer: string) => string | undefined;
  readonly onChange: (change: Partial<ViewDraft>) => void;
  /** The presentations that the person has left in this builder, by their layout. */
  readonly kept: Map<Layout, Presentation>;
}

/** Everything that makes a DataView. */
export function ViewForm(props: ViewFormProps) {
  const { parts, draft, resources, isNew, faultAt, onChange } = props;
  const t = useTranslations("viewBuilder");
  const words = useTranslations("manage");
  return (
    <div className="grid gap-6">
      <div className="grid gap-4">
        <TextField
          label={words("name")}
          name="name"
          autoComplete="off"
          value={draft.name}
          fault={faultAt("/name")}
          isFirst={isNew}
          onChange={(name) => onChange({ name })}
        />
        <ResourceField
          resources={resources}
          resourceId={draft.resourceId}
          isFixed={!isNew}
          fault={faultAt("/resourceId")}
          onChoose={(resourceId) => {
            props.kept.clear();
            onChange({
              ...{ resourceId, fields: null, where: null, orderBy: [] },
              presentation: { version: 1, layout: "table", columns: [] },
            });
          }}
        />
      </div>
      {parts !== undefined && <Reading {...props} parts={parts} />}
      <Section title={t("about")}>
        <TextArea
          label={words("description")}
          name="description"
          value={draft.description}
          fault={faultAt("/description")}
          onChange={(description) => onChange({ description })}
        />
        <IconField
          kind="dataView"
          icon={draft.icon}
          fault={faultAt("/icon")}
          onChange={(icon) => onChange({ icon })}
        />
        <RolesField
          roleIds={draft.roleIds}
          fault={faultAt("/roleIds")}
          onChange={(roleIds) => onChange({ roleIds })}
        />
      </Section>
    </div>
  );
}

function Reading(props: ViewFormProps & { readonly parts: BuilderParts }) {
  const { parts, resources, faults, kept } = props;
  const { draft, resource, options, faultAt, change } = parts;
  const t = useTranslations("viewBuilder");
  const ownFields = options.filter(({ isOwn }) => isOwn).map(({ field }) => field);
  const choose = (layout: Layout) => {
    kept.set(draft.presentation.layout, draft.presentation);
    const presentation = kept.get(layout) ?? proposeLayout(layout, resource, options);
    if (presentation !== undefined) change({ presentation });
  };
  return (
    <>
      <LayoutChoice parts={parts} onChoose={choose} />
      <LayoutFields parts={parts} />
      <Section title={t("fields")} text={t("fieldsText")}>
        <Checkbox
          label={t("allFields")}
          isChecked={draft.fields === null}
          onChange={(isAll) => change({ fields: isAll ? null : ownFields })}
        />
        {draft.fields !== null && (
          <FieldList
            label={t("fields")}
            addLabel={t("add.anyField")}
            options={fittingOf(parts, "any")}
            fields={draft.fields}
            faultOf={(index) => faultAt(`/fields/${index}`)}
            onChange={(fields) => change({ fields: fields.length === 0 ? null : fields })}
          />
        )}
      </Section>
      <Section title={t("rows")}>
        <FilterBar
          resource={resource}
          resources={resources}
          where={draft.where ?? undefined}
          faults={faults}
          onChange={(where) => change({ where: where ?? null })}
        />
        <OrderTerms parts={parts} />
        <TextField
          label={t("limit")}
          hint={t("limitHint")}
          name="limit"
          autoComplete="off"
          value={draft.limit}
          fault={faultAt("/limit")}
          onChange={(limit) => change({ limit })}
        />
      </Section>
    </>
  );
}
