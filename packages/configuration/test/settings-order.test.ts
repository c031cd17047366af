import { expect, it } from "vitest";
import { openConfigurator, root } from "./configuration.ts";

const clerks = { "roles/clerks.yaml": "apiAccess: true\n" };
const open = "auth.registration_enabled: true\nauth.registration_role: clerks\n";
const all = root("settings", "roles");

it("registration and its role are switched on in one apply, changed, and switched off in another", async () => {
  const { set, pull } = await openConfigurator();
  const guests = { "roles/guests.yaml": "apiAccess: true\n" };
  await set({ ...all, ...clerks, "settings.yaml": open });
  expect((await pull())["settings.yaml"]).toBe(open);
  const other = open.replace("clerks", "guests");
  // The former role is deleted in the same apply.
  await set({ ...all, ...guests, "settings.yaml": other });
  expect((await pull())["settings.yaml"]).toBe(other);
  // It loses its API access at once.
  await set({ ...all, "roles/guests.yaml": "apiAccess: false\n", "settings.yaml": "{}\n" });
  expect((await pull())["settings.yaml"] ?? "").not.toContain("auth");
});

it("registration without a role with API access is refused by the plan", async () => {
  const { plan } = await openConfigurator();
  const without = { ...all, "settings.yaml": "auth.registration_enabled: true\n" };
  await expect(plan(without)).rejects.toMatchObject({ code: "VALUE_INVALID" });
  const outsiders = { ...all, "roles/clerks.yaml": "apiAccess: false\n", "settings.yaml": open };
  await expect(plan(outsiders)).rejects.toMatchObject({ code: "VALUE_INVALID" });
});

it("a limit and its default rise and fall in one apply", async () => {
  const { set, pull } = await openConfigurator();
  for (const [first, most] of [
    [2000, 5000],
    [10, 20],
    [30, 3000],
  ]) {
    const limits = `data.default_limit: ${first}\ndata.max_limit: ${most}\n`;
    await set({ ...root("settings"), "settings.yaml": limits });
    expect((await pull())["settings.yaml"]).toBe(limits);
  }
});

it("addresses of other front ends are carried and compared", async () => {
  const { set, pull, plan } = await openConfigurator();
  const addresses =
    "auth.return_addresses:\n  - https://app.example.com/account/*\nfiles.link_max_lifetime_seconds: 3600\n";
  const files = { ...root("settings"), "settings.yaml": addresses };
  await set(files);
  expect((await pull())["settings.yaml"]).toBe(addresses);
  expect((await plan(files)).steps).toEqual([]);
  const wrong = { ...files, "settings.yaml": addresses.replace("https", "javascript") };
  await expect(plan(wrong)).rejects.toMatchObject({ code: "VALUE_INVALID" });
});
