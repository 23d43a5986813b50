# Prints in one line what runs, for results: the versions of Node and of the libraries.
cd "$(dirname "$0")" && exec node --print '
    const { dependencies } = require("./package.json");
    `Node ${process.versions.node}, ` + Object.entries(dependencies).map(([name, version]) => `${name} ${version}`).join(", ")'
