try{let t=localStorage.getItem("parlor-theme");(t==="light"||t==="dark")&&(document.documentElement.dataset.theme=t)}catch{}
