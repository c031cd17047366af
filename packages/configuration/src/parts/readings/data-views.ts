import {
  columnsOfDataView,
  currentDataView,
  type DataViewInput,
  dataViewInput,
  dataViewRecords,
  plainTable,
  requireValidDataView,
  type StoredDataView,
  viewOfBody,
} from "@rowhouse/readings";
import type { z } from "zod";
import { resourceSchema, rolesSchema } from "./reading-names.ts";
import { readingPart } from "./reading-part.ts";

const schema = dataViewInput
  .omit({ name: true, resourceId: true, roleIds: true })
  .extend({ resource: resourceSchema, roles: rolesSchema })
  .transform(({ resource, roles, ...given }) =>
    viewOfBody({ ...given, name: "", resourceId: resource, roleIds: roles }),
  );

/** Saved readings of tables and views. */
export const dataViewsPart = readingPart<DataViewInput, StoredDataView>({
  name: "data-views",
  kind: "data-view",
  noun: "DataView",
  schema: schema as z.ZodType<DataViewInput>,
  plain: {
    ...{ description: "", icon: null, position: 0, roles: [] },
    ...{ fields: null, where: null, orderBy: [], limit: null, presentation: plainTable },
  },
  write: ({ resourceId, roleIds, ...view }) => {
    const { description, icon, position, fields, where, orderBy, limit, presentation } = view;
    return {
      ...{ resource: resourceId, description, icon, position, roles: roleIds },
      ...{ fields, where, orderBy, limit, presentation },
    };
  },
  records: dataViewRecords,
  current: currentDataView,
  map: (view, { resource, role }) => ({
    ...view,
    resourceId: resource(view.resourceId) ?? view.resourceId,
    roleIds: view.roleIds.map((id) => role(id) ?? id),
  }),
  resources: ({ resourceId }) => [{ key: resourceId, place: ["resource"] }],
  columns: columnsOfDataView,
  requireValid: requireValidDataView,
  faultsOfChange: (document, before) => {
    if (document.value.resourceId === before.resourceId) return [];
    const message = `It reads ${before.resourceId}; a DataView of another table needs another name`;
    return [document.faultAt(["resource"], message)];
  },
});
