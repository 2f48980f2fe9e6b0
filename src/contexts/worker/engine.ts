console.log('engine');
