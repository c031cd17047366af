import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { FilterBar } from "../../records/filter/filter-bar.tsx";
import type { Where } from "../../records/filter/filter-tree.ts";
import type { FilterResource } from "../../records/filter/use-filter-resource.ts";
import { titleOf } from "../../records/model/resource.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { Copy, Trash2 } from "../../ui/icons.generated.ts";
import { RemovableNames } from "../../ui/removable-names.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { BindingFields } from "./binding-fields.tsx";
import { type Draft, type Panel, panelKinds } from "./draft.ts";
import type { DraftFault } from "./draft-faults.ts";
import { FieldPicker } from "./field-picker.tsx";
import type { Field } from "./fields.ts";
import { columnCount, limits, type Place } from "./layout.ts";
import { ListForm } from "./list-form.tsx";
import { NumberField } from "./number-field.tsx";
import {
  firstContent,
  isSameContent,
  proposalsFor,
  proposedPart,
  usedPaths,
  withColumns,
  withContent,
  withKind,
} from "./panel-content-edit.ts";
import { ChartForm, FigureForm, PivotForm } from "./panel-forms.tsx";
import { ProposalList } from "./proposal-list.tsx";
import { ResourceField } from "./resource-field.tsx";
import { SelectField } from "./select-field.tsx";
import { useResource } from "./use-resource.ts";
import { useTermWords } from "./use-term-words.ts";

interface PanelPaneProps {
  readonly draft: Draft;
  readonly panel: Panel;
  readonly faults: readonly Omit<DraftFault, "part">[];
  readonly onChange: (panel: Panel, subject?: string) => void;
  readonly onMove: (place: Place) => void;
  readonly onCopy: () => void;
  readonly onDelete: () => void;
}

/** Everything that can be set of a panel. */
export function PanelPane(props: PanelPaneProps) {
  const { draft, panel, faults, onChange } = props;
  const t = useTranslations("dashboardBuilder");
  const words = useTranslations("manage");
  const { found, fields, facts, error, reload } = useResource(panel.resourceId);
  const terms = useTermWords(fields);
  const faultAt = (pointer: string) =>
    faults.find((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`))
      ?.message;
  const shared = { found, fields, facts, faultAt };
  const table = found === undefined ? "" : titleOf(found.resource);
  const proposals = proposalsFor(panel, fields, facts);
  /** A title that was made of the columns follows them. */
  const retitled = (next: Panel): Panel => {
    const made = proposals.map((proposal) => terms.titleOf(proposal, table));
    if (panel.title !== "" && !made.includes(panel.title)) return next;
    const best = proposalsFor(next, fields, facts).find(({ content }) =>
      isSameContent(content, proposedPart(next)),
    );
    return best === undefined ? next : { ...next, title: terms.titleOf(best, table) };
  };
  return (
    <div className="grid content-start gap-5">
      <TextField
        label={t("title")}
        name="panel-title"
        autoComplete="off"
        value={panel.title}
        onChange={(title) => onChange({ ...panel, title }, `title ${panel.id}`)}
        fault={faultAt("/title")}
      />
      <SelectField
        label={t("kind")}
        value={panel.kind}
        options={panelKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        fault={faultAt("/kind")}
        onChange={(kind) => onChange(withKind(panel, kind, fields, facts))}
      />
      {panel.kind === "TEXT" ? (
        <TextArea
          label={t("markdown")}
          name="markdown"
          hint={t("markdownHint")}
          value={panel.definition.markdown}
          onChange={(markdown) =>
            onChange({ ...panel, definition: { markdown } }, `markdown ${panel.id}`)
          }
          fault={faultAt("/definition/markdown")}
        />
      ) : (
        <>
          <ResourceField
            label={t("table")}
            resourceId={panel.resourceId}
            fault={faultAt("/resourceId")}
            onChange={(resourceId) =>
              onChange({
                ...panel,
                ...firstContent(panel.kind, [], facts),
                resourceId,
                bindings: [],
              } as Panel)
            }
          />
          {error !== null && <FailureNotice error={error} onRetry={reload} />}
          {panel.resourceId !== null && found === undefined && error === null && (
            <Skeleton label={words("loading")} rows={4} />
          )}
          {found !== undefined && panel.resourceId !== null && (
            <>
              <ChosenColumns
                fields={fields}
                paths={usedPaths(panel)}
                onChange={(paths) => onChange(retitled(withColumns(panel, paths, fields, facts)))}
              />
              <ProposalList
                proposals={proposals}
                present={proposedPart(panel)}
                {...{ fields, table }}
                onTake={({ content }) => onChange(retitled(withContent(panel, content)))}
              />
              {panel.kind === "FIGURE" && <FigureForm {...{ ...shared, found, panel, onChange }} />}
              {panel.kind === "CHART" && <ChartForm {...{ ...shared, found, panel, onChange }} />}
              {panel.kind === "PIVOT" && <PivotForm {...{ ...shared, found, panel, onChange }} />}
              {panel.kind === "LIST" && <ListForm {...{ ...shared, found, panel, onChange }} />}
              <WhereField
                found={found}
                where={panel.definition.where ?? undefined}
                faults={faults}
                onChange={(where) => {
                  const { where: _, ...rest } = panel.definition;
                  const definition = where === undefined ? rest : { ...rest, where };
                  onChange({ ...panel, definition } as Panel);
                }}
              />
              <BindingFields
                {...{ panel, fields, faultAt, onChange }}
                parameters={draft.parameters}
              />
            </>
          )}
        </>
      )}
      <LayoutFields panel={panel} fault={faultAt("/layout")} onMove={props.onMove} />
      <div className="flex flex-wrap gap-2 border-line border-t pt-4">
        <ToolButton onClick={props.onCopy}>
          <Copy size={14} aria-hidden="true" />
          {t("copyPanel")}
        </ToolButton>
        <ToolButton kind="danger" onClick={props.onDelete}>
          <Trash2 size={14} aria-hidden="true" />
          {t("deletePanel")}
        </ToolButton>
      </div>
    </div>
  );
}

interface ChosenColumnsProps {
  readonly fields: readonly Field[];
  readonly paths: readonly string[];
  readonly onChange: (paths: readonly string[]) => void;
}

/** The columns that a panel is about; from them the panel proposes itself. */
function ChosenColumns({ fields, paths, onChange }: ChosenColumnsProps) {
  const t = useTranslations("dashboardBuilder");
  const labelOf = (path: string) => fields.find((field) => field.path === path)?.label ?? path;
  return (
    <fieldset className="grid gap-2">
      <legend className="sr-only">{t("about")}</legend>
      <FieldPicker
        key={paths.join()}
        label={t("about")}
        hint={t("aboutHint")}
        fields={fields.filter(({ path }) => !paths.includes(path))}
        path={undefined}
        onPick={({ path }) => onChange([...paths, path])}
      />
      <RemovableNames
        label={t("about")}
        names={paths.map((path) => ({ key: path, label: labelOf(path) }))}
        removeLabel={(name) => t("removeColumn", { name })}
        onRemove={(path) => onChange(paths.filter((one) => one !== path))}
      />
    </fieldset>
  );
}

interface WhereFieldProps {
  readonly found: FilterResource;
  readonly where: Where | undefined;
  readonly faults: readonly Omit<DraftFault, "part">[];
  readonly onChange: (where: Where | undefined) => void;
}

const pointer = "/definition/where";

/** The filter of a panel, in the builder of the grid. */
function WhereField({ found, where, faults, onChange }: WhereFieldProps) {
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

interface LayoutFieldsProps {
  readonly panel: Panel;
  readonly fault: string | undefined;
  readonly onMove: (place: Place) => void;
}

/** The place and the size of a panel as numbers, so that nothing needs dragging. */
function LayoutFields({ panel, fault, onMove }: LayoutFieldsProps) {
  const t = useTranslations("dashboardBuilder");
  const { x, y, w, h } = panel.layout;
  const move = (changes: Partial<Place>) => onMove({ ...panel.layout, ...changes });
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">{t("place")}</legend>
      <div className="grid grid-cols-2 gap-2">
        <NumberField
          label={t("fromLeft")}
          value={x + 1}
          min={1}
          max={columnCount - w + 1}
          onChange={(value) => move({ x: (value ?? 1) - 1 })}
        />
        <NumberField
          label={t("fromTop")}
          value={y + 1}
          min={1}
          max={limits.yMax + 1}
          onChange={(value) => move({ y: (value ?? 1) - 1 })}
        />
        <NumberField
          label={t("width")}
          value={w}
          min={limits.w.min}
          max={limits.w.max}
          onChange={(value) => move({ w: value ?? 1, x: Math.min(x, columnCount - (value ?? 1)) })}
        />
        <NumberField
          label={t("height")}
          value={h}
          min={limits.h.min}
          max={limits.h.max}
          onChange={(value) => move({ h: value ?? 1 })}
        />
      </div>
      {fault !== undefined && <p className="text-2 text-danger">{fault}</p>}
    </fieldset>
  );
}
