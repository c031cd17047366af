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

/** Gives the rows of the clinic the titles by which its people know them. */
export async function nameClinic(service: BrowserService, clinic: Clinic): Promise<void> {
  const titles = { patient: "{given} {family}", staff: "{given} {family}", vaccine: "{name}" };
  for (const [name, title] of Object.entries(titles)) {
    await service.administer("PATCH", `/resources/${clinic.idOf(name)}`, { title });
  }
}

/**
 * Thirty appointments as a spreadsheet copies them, with four mistakes: a name that two patients have (line 4), a patient who
 * does not exist (line 9), a start that is no time (line 14), and an end before its start (line 21).
 *
 * @param hasHeads whether the first line names the columns
 */
export function thirtyAppointments(hasHeads: boolean): string {
  const lines = Array.from({ length: 30 }, (_, index) => {
    const line = index + 1;
    const patient = line === 4 ? "Jan Weber" : line === 9 ? "Lea Nowack" : "Lea Novak";
    const day = `2027-03-${line > 15 ? "02" : "01"}`;
    const hour = String(8 + (index % 15)).padStart(2, "0");
    const starts = line === 14 ? "around noon" : `${day} ${hour}:00`;
    const ends = line === 21 ? `${day} 07:00` : line === 14 ? `${day} 22:30` : `${day} ${hour}:45`;
    return [patient, "Ines Brandt", "NORD", "1", starts, ends, "25.50"].join("\t");
  });
  const heads = ["pat", "Seen by", "Room site", "room_no", "starts", "ends", "fee"].join("\t");
  return [...(hasHeads ? [heads] : []), ...lines].join("\n");
}
