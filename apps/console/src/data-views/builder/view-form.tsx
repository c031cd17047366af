import { readName, writeName } from "@rowhouse/access/written-name";
import { useTranslations } from "use-intl";
import { FilterBar } from "../../records/filter/filter-bar.tsx";
import type { FilterFault } from "../../records/filter/filter-faults.ts";
import { PlainSelect } from "../../records/filter/plain-select.tsx";
import { titleOf } from "../../records/model/resource.ts";
import { IconField } from "../../records/saved/icon-field.tsx";
import { RolesField } from "../../records/saved/reading-fields.tsx";
import { AppLink } from "../../shell/app-link.tsx";
import type { NavigationResource } from "../../shell/navigation.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { linkClasses } from "../../ui/classes.ts";
import { Section } from "../../ui/section.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { type BuilderParts, fittingOf } from "./builder-parts.ts";
import { FieldList } from "./field-list.tsx";
import { LayoutChoice, proposeLayout } from "./layout-choice.tsx";
import { LayoutFields } from "./layout-fields.tsx";
import type { Layout, Presentation, ViewDraft } from "./view-draft.ts";

interface ViewFormProps {
  /** Undefined if the table was dropped. */
  readonly parts: BuilderParts | undefined;
  readonly draft: ViewDraft;
  readonly resources: readonly NavigationResource[];
  /** Whether it is not stored yet. */
  readonly isNew: boolean;
  readonly faults: readonly FilterFault[];
  readonly faultAt: (pointer: string) => string | undefined;
  readonly onChange: (change: Partial<ViewDraft>) => void;
  /** The presentations that the person has left in this builder, by their layout. */
  readonly kept: Map<Layout, Presentation>;
}

/** Everything that makes a DataView. */
export function ViewForm(props: ViewFormProps) {
  const { parts, draft, isNew, faultAt, onChange } = props;
  const t = useTranslations("viewBuilder");
  const words = useTranslations("manage");
  return (
    <div className="grid gap-6">
      <div className="grid gap-4">
        <ResourceFact resource={parts?.resource} isNew={isNew} />
        <TextField
          label={words("name")}
          name="name"
          autoComplete="off"
          value={draft.name}
          fault={faultAt("/name")}
          isFirst={isNew}
          onChange={(name) => onChange({ name })}
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

/** The table or view whose rows a DataView shows. It was chosen first, since everything else depends on it. */
function ResourceFact(props: {
  readonly resource: NavigationResource | undefined;
  readonly isNew: boolean;
}) {
  const { resource, isNew } = props;
  const t = useTranslations("viewBuilder");
  return (
    <div className="grid gap-1">
      <span className="font-medium">{t("resource")}</span>
      <span dir="auto" className="wrap-anywhere">
        {resource === undefined
          ? t("noResource")
          : `${titleOf(resource)} (${resource.schema}.${resource.name})`}
      </span>
      {isNew ? (
        <AppLink
          href="/admin/data-views/new"
          className={`${linkClasses} justify-self-start text-2`}
        >
          {t("chooseOther")}
        </AppLink>
      ) : (
        <span className="text-2 text-ink-2">{t("resourceFixed")}</span>
      )}
    </div>
  );
}

/** The fields by which the rows are sorted, the first decides. */
function OrderTerms({ parts }: { readonly parts: BuilderParts }) {
  const t = useTranslations("viewBuilder");
  const { orderBy } = parts.draft;
  const fields = orderBy.map(fieldOfTerm);
  return (
    <FieldList
      label={t("orderBy")}
      addLabel={t("add.orderBy")}
      options={fittingOf(parts, "sort")}
      fields={fields}
      faultOf={(index) => parts.faultAt(`/orderBy/${index}`)}
      onChange={(next) =>
        parts.change({
          orderBy: next.map((field) => orderBy[fields.indexOf(field)] ?? termOf(field, false)),
        })
      }
      detailOf={(field, index) => {
        const name = parts.options.find((one) => one.field === field)?.label ?? field;
        return (
          <PlainSelect
            label={t("direction", { name })}
            value={isDescending(orderBy[index] ?? "") ? "down" : "up"}
            options={[
              { value: "up", label: t("ascending") },
              { value: "down", label: t("descending") },
            ]}
            onChange={(value) =>
              parts.change({
                orderBy: orderBy.map((one, at) =>
                  at === index ? termOf(field, value === "down") : one,
                ),
              })
            }
          />
        );
      }}
    />
  );
}

/** Returns the field of a term such as `-created_at:nulls_last`. */
function fieldOfTerm(term: string): string {
  return readName(term.replace(/^-/, "").replace(/:nulls_(?:first|last)$/, ""));
}

/** Whether a term sorts from the greatest value down. */
function isDescending(term: string): boolean {
  return term.startsWith("-");
}

/** Writes the term of a field. */
function termOf(field: string, isDown: boolean): string {
  return `${isDown ? "-" : ""}${writeName(field)}`;
}
