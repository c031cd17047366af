// The mixed load: a script for wrk that draws a request, a session and a key for each request.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder, runWrk } from "../load.mjs";
import { rowCount } from "../world.mjs";
import { formOf } from "./requests.mjs";

/**
 * Creates the function that puts requests on one side for a number of seconds.
 *
 * @param secrets the sessions
 * @param chosen the requests
 * @param isByHand whether the routes of the handwritten handlers are used
 */
export function createLoad(url, secrets, { chosen, connections, isByHand = false }) {
  const script = join(folder, isByHand ? "traffic-by-hand.lua" : "traffic.lua");
  return async (seconds) => {
    writeFileSync(script, scriptOf(secrets, chosen, isByHand));
    const result = await runWrk(url, script, seconds, connections);
    if (result.errors > 0) throw new Error(`${result.errors} responses of the load were errors`);
    return result;
  };
}

function scriptOf(secrets, requests, isByHand) {
  const quote = (text) => JSON.stringify(text);
  const entry = (request) => {
    const { weight, method, path, body, prefer } = formOf(request, isByHand);
    const optional = (text) => (text === undefined ? "nil" : quote(text));
    return `{ weight = ${weight}, method = ${quote(method)}, path = ${quote(path)}, body = ${optional(body)}, prefer = ${optional(prefer)} }`;
  };
  return `math.randomseed(42)
local rows = ${rowCount}
local secrets = { ${secrets.map(quote)} }
local requests = { ${requests.map(entry).join(",\n  ")} }

-- Rank k has the share 1 / k. The ranks are spread over the keys, so that the frequent ones share no page.
local sums, sum = {}, 0
for rank = 1, rows do
  sum = sum + 1 / rank
  sums[rank] = sum
end
local function draw()
  local wanted, low, high = math.random() * sum, 1, rows
  while low < high do
    local middle = math.floor((low + high) / 2)
    if sums[middle] < wanted then low = middle + 1 else high = middle end
  end
  return low * 7919 % rows + 1
end

-- Which of the loaded rows the row filter of a session admits; world.mjs has the filters.
local function isVisible(session, key)
  local group = session % 5
  if group == 1 then return key % 5 == math.floor(session / 5) % 5 end
  if group == 2 then return (1 + math.floor(key / 7) % 500) % 20 < 10 end
  if group == 3 then return key % 4 < 2 or key % 5 == 0 end
  return true
end
local function keyOf(session)
  local key = draw()
  if session % 5 == 0 then
    key = key - key % 100 + session / 5
    if key < 1 then return 100 end
    return key > rows and key - 100 or key
  end
  while not isVisible(session, key) do key = draw() end
  return key
end

local choices = {}
for _, entry in ipairs(requests) do
  for _ = 1, entry.weight do choices[#choices + 1] = entry end
end

request = function()
  local entry = choices[math.random(#choices)]
  local session
  repeat session = math.random(#secrets) - 1 until entry.method == "GET" or session % 5 ~= 3
  local function fill(text)
    return (text:gsub("#", function() return string.format("%d", keyOf(session)) end)
      :gsub("@", function() return string.format("%d", draw() % 500 + 1) end))
  end
  local headers = { ["Authorization"] = "Bearer " .. secrets[session + 1] }
  if entry.prefer then headers["Prefer"] = entry.prefer end
  local body = entry.body
  if body then
    headers["Content-Type"] = "application/json"
    body = fill(body):gsub("$EMAIL", "user-" .. session .. "@example.com")
  end
  return wrk.format(entry.method, fill(entry.path), headers, body)
end
`;
}
