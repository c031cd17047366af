import { clinicTables, loadClinic } from "@rowhouse/testing";
import { administratorsId, enter } from "./people.ts";
import type { BrowserService } from "./service.ts";

/** A clinic with an administrator, and a receptionist who may do everything with its rows. */
export type Clinic = Awaited<ReturnType<typeof prepareClinic>>;

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Creates the clinic, exposes all of it, and signs its people in. */
export async function prepareClinic(service: BrowserService) {
  const { administer } = service;
  await loadClinic(service.test.database);
  const list = (await administer("GET", "/resources?schema=clinic&limit=100")) as readonly Named[];
  const ids = new Map(list.map(({ id, name }) => [name, id]));
  const role = (await administer("POST", "/roles", { name: "Reception" })) as Named;
  for (const { id, name } of list) {
    const isTable = (clinicTables as readonly string[]).includes(name);
    const exposedMethods = isTable ? ["GET", "POST", "PATCH", "DELETE"] : ["GET"];
    await administer("PATCH", `/resources/${id}`, { exposedMethods });
    for (const action of isTable ? ["READ", "CREATE", "UPDATE", "DELETE"] : ["READ"]) {
      const fields = action === "DELETE" ? {} : { fields: null };
      await administer("POST", "/grants", { roleId: role.id, resourceId: id, action, ...fields });
    }
  }
  return {
    roleId: role.id,
    /** The id of a resource of the clinic. */
    idOf: (name: string) => ids.get(name) ?? "",
    administrator: await enter(
      service,
      "owner@clinic.example",
      "Odd Vik",
      await administratorsId(service),
    ),
    receptionist: await enter(service, "rita@clinic.example", "Rita Moen", role.id),
  };
}
