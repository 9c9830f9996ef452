// What the search of the built site finds: node search.js SITE < queries as JSON; writes query -> pages, the best first.
const fs = require("fs"), vm = require("vm"), path = require("path");
const site = process.argv[2];
const world = vm.createContext({
  document: {getElementById: () => null, addEventListener() {}, documentElement: {dataset: {}}},
  _: text => text, _ready() {}, _removeChildren() {}, SPHINX_HIGHLIGHT_ENABLED: false,
});
world.window = world;
for (const file of ["_static/language_data.js", "_static/searchtools.js", "searchindex.js"])
  vm.runInContext(fs.readFileSync(path.join(site, file), "utf8"), world);
world.queries = JSON.parse(fs.readFileSync(0, "utf8"));
const ask = "query => [query, Search._performSearch(...Search._parseQuery(query)).reverse().map(each => each[0])]";
console.log(JSON.stringify(Object.fromEntries(vm.runInContext(`queries.map(${ask})`, world))));
