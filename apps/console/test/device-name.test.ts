import { expect, it } from "vitest";
import { deviceName } from "../src/shell/device-name.ts";

it("a browser and a system are named, and a program keeps its own name", () => {
  const chrome =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36";
  expect(deviceName(chrome)).toBe("Chrome, Linux");
  expect(deviceName(`${chrome} Edg/156.0`)).toBe("Edge, Linux");
  const phone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1";
  expect(deviceName(phone)).toBe("Safari, iOS");
  const android = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0";
  expect(deviceName(android)).toBe("Firefox, Android");
  expect(deviceName("curl/8.14.1")).toBe("curl/8.14.1");
});
