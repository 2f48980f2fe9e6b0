console.log("core", __VERSION__);
