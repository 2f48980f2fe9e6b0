console.log('r');
