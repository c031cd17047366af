import { z } from "zod";
import { isTimeZone } from "./time-zone.ts";

export const origin = z
  .string()
  .regex(
    /^https?:\/\/[^/\s*]+$/,
    "Must be an origin: a scheme and a host, without a path or a wildcard",
  );

export const timeZone = z
  .string()
  .refine(isTimeZone, "Must be an IANA time zone name, such as Europe/Oslo");

export const network = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  "Must be an address (10.0.0.1) or a network (10.0.0.0/8)",
);

export const host = z
  .string()
  .max(260)
  .regex(
    /^(?:[^\s/:@[\]?#]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/,
    "Must be a host: name or name:port",
  );

export const address = z.url({
  protocol: /^https?$/,
  error: "Must be a URL that begins with http:// or https://",
});

export const mediaType = z
  .string()
  .regex(
    /^[a-z0-9!#$&^_.+-]{1,127}\/(?:\*|[a-z0-9!#$&^_.+-]{1,127})$/,
    "Must be a media type in lower case, such as image/png or image/*",
  );

export const scanner = z.url({
  protocol: /^(?:https?|clamd)$/,
  error: "Must be a URL that begins with http://, https:// or clamd://",
});

const side = z.int().min(1).max(10_000);

/** The form of one image preset; `inside` keeps the whole image, `cover` cuts it to the given shape. */
const imagePreset = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,49}$/, "Must be a name of lower-case letters and digits"),
  width: side,
  height: side,
  fit: z.enum(["inside", "cover"]),
  format: z.enum(["webp", "jpeg", "png", "avif"]),
  quality: z.int().min(1).max(100),
});

export type ImagePreset = z.output<typeof imagePreset>;

/** The presets, whose names must differ. */
export const imagePresets = z
  .array(imagePreset)
  .max(50)
  .refine(
    (presets) => new Set(presets.map(({ name }) => name)).size === presets.length,
    "Two presets must not have the same name",
  );

export const whole = (min: number, max: number) => z.int().min(min).max(max);
