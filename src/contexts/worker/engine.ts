console.log("engine");
