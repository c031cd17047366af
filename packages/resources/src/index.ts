export { type ColumnColors, columnColorsSchema } from "./column-colors.ts";
export { type ColumnFormat, columnFormatSchema } from "./column-format.ts";
export { type ColumnPresenter, loadColumnPresenter } from "./column-presenter.ts";
export { isRelationName, relationNameRule } from "./relation-names.ts";
export {
  type ColumnChanges,
  type ColumnUpdate,
  listResourceColumns,
  type PresentedColumn,
  readResourceColumn,
  updateResourceColumn,
} from "./resource-columns.ts";
export {
  listResources,
  methods,
  type ResourceColumn,
  type ResourceDetail,
  type ResourceFilter,
  type ResourceRelation,
  type ResourceSummary,
  readResource,
} from "./resources.ts";
export {
  type ResourceChanges,
  type ResourceUpdate,
  type UpdatedResource,
  updateResource,
  updateResources,
} from "./update-resources.ts";
