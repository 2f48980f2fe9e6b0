console.log('suffixes');
